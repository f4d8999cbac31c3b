import { openThreadedSpool } from '../../../src/threads/threaded-spool.ts';
import { right } from '../../support/right.ts';
import { delivery, firstIn, NOTE } from './spool-scene.ts';

// A process that a test kills: it spools delivery after delivery, takes out every fifth, sets every seventh aside, and
// says what it was promised. It ends by itself where nothing more can be kept.
const [, , file = ''] = process.argv;
const spool = right(await openThreadedSpool({ file, locks: [] }, { mostBytes: 1e9, longestBody: 1_000 }));
const AT_ONCE = 3;
const BODY = 'x'.repeat(3_000);

/** Resolves once whoever reads can read it, whatever becomes of this process: what waits in it dies with it. */
const say = (word: string, n: number): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(`${word} ${n}\n`, () => {
      resolve();
    });
  });

for (let n = 1, isRoom = true; isRoom; n += AT_ONCE) {
  const numbers = Array.from({ length: AT_ONCE }, (_, i) => n + i);
  const kept = await Promise.all(numbers.map((one) => spool.put(delivery(one, `${one} ${BODY}`), `key ${one}`)()));
  for (const [i, { _tag }] of kept.entries()) {
    if (_tag === 'Right') await say('kept', n + i);
    else isRoom = false;
  }
  const head = await firstIn(spool);
  if (head === null || n % 5 !== 0) continue;
  // Before it is done: what is killed between the two was done, or waits once more.
  await say('over', Number(head.verified.requestId.slice('request-'.length)));
  if (n % 7 === 0) spool.setAside(head, NOTE);
  else spool.done(head);
}
await spool.close();
