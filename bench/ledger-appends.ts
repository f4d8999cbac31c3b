import * as E from 'fp-ts/lib/Either.js';
import { recordDelivery, type RecordDeps } from '../src/ledger/record-delivery.ts';
import { describeFailure } from '../src/ledger/recorded.ts';
import type { Appends } from './append-stretch.ts';
import type { DeliverySource } from './delivery-source.ts';
import type { SignedDelivery } from './signed-delivery.ts';

const recordAs = async (
  deps: RecordDeps,
  delivery: SignedDelivery | undefined,
  outcome: 'recorded' | 'duplicate',
): Promise<void> => {
  if (delivery === undefined) throw new Error('told to record what was not prepared');
  const recorded = await recordDelivery(deps)(delivery)();
  if (E.isLeft(recorded)) throw new Error(`a delivery was not recorded: ${describeFailure(recorded.left)}`);
  if (recorded.right.outcome !== outcome) {
    throw new Error(`a delivery was answered "${recorded.right.outcome}" where "${outcome}" is right`);
  }
};

/** Verified deliveries through the ledger, each of them new. */
export const newThroughLedger = (deps: RecordDeps, source: DeliverySource): Appends => {
  let prepared: readonly SignedDelivery[] = [];
  return {
    prepare: (from, count) => {
      prepared = source(from, count);
    },
    append: (index) => recordAs(deps, prepared[index], 'recorded'),
    repeats: false,
  };
};

/** Deliveries that were all recorded before, again and again. */
export const repeatedThroughLedger = (deps: RecordDeps, recorded: readonly SignedDelivery[]): Appends => ({
  prepare: () => undefined,
  append: (index) => recordAs(deps, recorded[index % recorded.length], 'duplicate'),
  repeats: true,
});
