import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { EMPTY_ROOT } from '../../../src/proofs/merkle-tree.ts';
import { noProofLog } from '../../../src/proofs/no-proof-log.ts';
import type { ProofLog } from '../../../src/proofs/proof-log.ts';
import { orderEvidence } from '../../../src/queries/evidence/order-evidence.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { loopTurns } from '../../support/loop-turns.ts';
import { bodyOf, onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';

/** Each takes a millisecond to be proven, as in a log of some size. */
const EVENTS = 100;
const PROOF_MS = 1;

const signed = { note: '', size: EVENTS, position: positionAt(EVENTS * 2), signedAt: instantOf(0) };

const proofs: ProofLog = {
  ...noProofLog,
  including: () => TE.right(signed),
  indexOf: () => TE.right(0),
  inclusion: () => () => {
    for (const until = performance.now() + PROOF_MS; performance.now() < until;);
    return Promise.resolve(E.right({ root: EMPTY_ROOT, hashes: [] }));
  },
  noteOf: () => TE.right(''),
  consistency: () => TE.right({ fromRoot: EMPTY_ROOT, toRoot: EMPTY_ROOT, hashes: [] }),
  signList: () => E.right(Buffer.alloc(64)),
};

describe('evidence of an order with many events', () => {
  it('lets others have their turn while it is made', async () => {
    const store = inMemoryEventStore(() => instantOf(0));
    for (let n = 0; n < EVENTS; n += 1)
      await deliverUnaware(store, bodyOf(onRamp({ orderId: 'many', metaData: { attempt: n } })));
    const turns = loopTurns();
    const { evidence } = right(await orderEvidence({ store, proofs }, branded<OrderId>('many'))());
    turns.stop();
    expect(evidence.events).to.have.length(EVENTS);
    // One for each slice of 5 ms; half of them on a machine that is slow at something else.
    expect(turns.now()).to.be.at.least((EVENTS * PROOF_MS) / 10);
  });
});
