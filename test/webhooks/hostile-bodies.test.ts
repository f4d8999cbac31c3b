import { expect } from 'chai';
import * as fc from 'fast-check';
import { sha256 } from '../../src/domain/sha256.ts';
import { payloads, spell, spellings } from '../support/arbitraries.ts';
import { accepted, refused, type DeliveryAnswer } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { runs } from '../support/runs.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { oddFields } from './odd-fields.ts';

const FOREIGN = 'a-secret-that-the-ledger-has-not';

const corpus = [...hostileBodies(), ...oddFields()];

describe('hostile bodies', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());
  afterEach(() => {
    expect(ledger.unexpected).to.deep.equal([]);
    expect(ledger.failures).to.deep.equal([]);
  });

  /** The signed bytes of the event that an answer names, checked against what else it says. */
  const bytesOf = async ({ stream, revision, eventId, position }: DeliveryAnswer): Promise<Buffer | undefined> => {
    const event = (await ledger.eventsOf(stream))[revision];
    expect([event?.id, event?.position]).to.deep.equal([eventId, position]);
    return ledger.bytesAt(stream, revision);
  };

  const refusesWithWrongSignature = async (bytes: Buffer): Promise<void> => {
    const before = await ledger.eventCount();
    const forged = await deliver(ledger.url, bytes, { signature: signatureOf(bytes, FOREIGN) });
    refused(forged, 401, 'signature-mismatch');
    refused(await deliver(ledger.url, bytes, { signature: null }), 401, 'signature-missing');
    expect(await ledger.eventCount()).to.equal(before);
  };

  for (const { name, bytes, outcome } of corpus) {
    it(`${name}: ${outcome}`, async () => {
      await refusesWithWrongSignature(bytes);
      const answer = accepted(await deliver(ledger.url, bytes));
      expect(answer.outcome).to.equal(outcome);
      expect(await bytesOf(answer)).to.deep.equal(bytes);
      expect(answer.stream).to.equal(
        outcome === 'quarantined' ? `quarantine-${sha256(bytes)}` : `order-${String(answer.orderId)}`,
      );
      const events = await ledger.eventCount();
      const again = accepted(await deliver(ledger.url, bytes));
      expect(again).to.deep.equal({ ...answer, outcome: outcome === 'quarantined' ? 'quarantined' : 'duplicate' });
      expect(await ledger.eventCount()).to.equal(events);
    });
  }

  it('says of each quarantined body why', async () => {
    for (const { bytes, outcome } of corpus) {
      if (outcome === 'recorded') continue;
      const { stream } = accepted(await deliver(ledger.url, bytes));
      const [event] = await ledger.eventsOf(stream);
      expect(event?.type).to.equal('DeliveryQuarantined');
      expect(event?.data).to.match(/^\{"reasons":\[\{"path":".*","message":"[^"]/);
    }
  });

  it('keeps any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (array) => {
        const bytes = Buffer.from(array);
        const answer = accepted(await deliver(ledger.url, bytes));
        expect(answer.outcome).to.equal('quarantined');
        expect(await bytesOf(answer)).to.deep.equal(bytes);
      }),
    );
  });

  /** What happens to a text on its way: a stretch of it lost, doubled, or replaced by other bytes. */
  const mutations = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(12),
      by: fc.oneof(
        fc.constant('lost' as const),
        fc.constant('doubled' as const),
        fc.uint8Array({ maxLength: 6 }),
        fc
          .constantFrom('null', '"', '}', '{', ',', '1e400', '\\u0000', '\\ud800', '[[[[', '\0', '-')
          .map((text) => Buffer.from(text)),
      ),
    }),
    { maxLength: 3 },
  );

  const mutated = fc.tuple(payloads, spellings, mutations).map(([payload, choices, changes]) =>
    changes.reduce(
      (bytes, { at, length, by }) => {
        const start = Math.floor(at * bytes.length);
        const stretch = bytes.subarray(start, start + length);
        const instead = by === 'lost' ? [] : by === 'doubled' ? [stretch, stretch] : [by];
        return Buffer.concat([bytes.subarray(0, start), ...instead, bytes.subarray(start + length)]);
      },
      Buffer.from(spell(payload, choices)),
    ),
  );

  it('keeps any payload in any spelling, whole or damaged, and takes none with a wrong signature', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(mutated, async (bytes) => {
        const before = await ledger.eventCount();
        const forged = await deliver(ledger.url, bytes, { signature: signatureOf(bytes, FOREIGN) });
        refused(forged, 401, 'signature-mismatch');
        expect(await ledger.eventCount()).to.equal(before);
        const answer = accepted(await deliver(ledger.url, bytes));
        seen.add(answer.outcome);
        // Of a duplicate the bytes that came first are kept, which say the same.
        if (answer.outcome !== 'duplicate') expect(await bytesOf(answer)).to.deep.equal(bytes);
      }),
      { numRuns: runs(60) },
    );
    expect([...seen]).to.include.members(['recorded', 'quarantined']);
  });
});
