/**
 * Fills a ledger in a process of its own, so that nothing of it stays in the memory of the one that measures. It is told
 * what in its only argument, answers with the number of events, and ends with its parent.
 */
import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../src/domain/trouble.ts';
import { openServing } from '../src/event-store/sqlite/sqlite-event-store.ts';
import { FillOrder, type FillAnswer } from './fill-order.ts';
import { fillLedger } from './ledger-filler.ts';

const fill = async (argument: string): Promise<FillAnswer> => {
  const order = FillOrder.decode(JSON.parse(argument));
  if (E.isLeft(order)) throw new Error('told something that is not in the protocol');
  const { location, filling } = order.right;
  const store = await openServing(location);
  if (E.isLeft(store)) throw new Error(troubleLine(store.left));
  let said = 0;
  const events = await fillLedger(store.right, filling, (share) => {
    const tenths = Math.floor(share * 10);
    if (tenths === said) return;
    said = tenths;
    process.stderr.write(`  ${tenths * 10} %\n`);
  });
  await store.right.close();
  return { events };
};

process.on('disconnect', () => process.exit(0));
fill(process.argv[2] ?? '').then(
  (answer) => process.send?.(answer),
  (reason: unknown) => {
    process.stderr.write(`filling: ${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exit(1);
  },
);
