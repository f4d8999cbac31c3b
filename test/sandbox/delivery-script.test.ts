import { expect } from 'chai';
import * as fc from 'fast-check';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import { deliveryScript, type DeliveryScript } from '../../src/sandbox/delivery-script.ts';
import { FAULTS, readFaults, type Fault } from '../../src/sandbox/fault.ts';
import { signWith, tellsEvent, type Parcel } from '../../src/sandbox/parcel.ts';
import { Random } from '../../src/sandbox/random.ts';
import { onRamp, orderPayload, signatureOf, SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';

const EVENTS = ['fiatPending', 'orderReceived', 'completed'].map((status) => ({
  status,
  utr: null,
  payload: onRamp({ orderId: 'o-1', status, fiat: 99.5 }),
  tells: { status, utr: null, wallet: '0x', isWhole: true },
}));

const scriptOf = (seed: string, ...faults: readonly Fault[]): DeliveryScript =>
  deliveryScript('o-1', EVENTS, new Set(faults), signWith(Buffer.from(SECRET)), new Random(seed));

const parcelsOf = (script: DeliveryScript): readonly Parcel[] => script.tracks.flatMap(({ parcels }) => parcels);

const isGenuine = ({ body, signature }: Parcel): boolean => signatureOf(body) === signature;

const digestOf = ({ body }: Parcel): string => factsDigest(orderPayload(body.toString()));

/** The digests of the events themselves. */
const DIGESTS = EVENTS.map(({ payload }) => factsDigest(orderPayload(payload)));

const digestFor = ({ status }: Parcel): string | undefined =>
  DIGESTS[EVENTS.findIndex((event) => event.status === status)];

const seeds = fc.string();
const anyFaults = fc.subarray([
  'duplicates',
  'shuffle',
  'delay',
  'other-facts',
  'wrong-signature',
  'altered-bytes',
  'reserialised',
  'burst',
  'give-up',
] as const);

describe('faults of deliveries', () => {
  it('leave out what was not ordered: each event once, in order, one after the other', () => {
    const script = scriptOf('a');
    expect(script.together).to.equal(false);
    expect(parcelsOf(script).map(({ status, kind }) => `${status} ${kind}`)).to.deep.equal([
      'fiatPending event',
      'orderReceived event',
      'completed event',
    ]);
    for (const [i, { body }] of parcelsOf(script).entries()) {
      expect(body.toString()).to.equal(JSON.stringify(EVENTS[i]?.payload));
    }
  });

  it('sign what is the provider’s word, and nothing that is forged', () => {
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        for (const parcel of parcelsOf(scriptOf(seed, ...faults))) {
          expect(isGenuine(parcel), parcel.kind).to.equal(!['wrong-signature', 'altered-bytes'].includes(parcel.kind));
        }
      }),
    );
  });

  it('tell the same facts wherever an event is told, and other ones where they are to be other', () => {
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        for (const parcel of parcelsOf(scriptOf(seed, ...faults))) {
          const isSame = tellsEvent(parcel) || parcel.kind === 'wrong-signature';
          expect(digestOf(parcel) === digestFor(parcel), parcel.kind).to.equal(isSame);
        }
      }),
    );
  });

  it('never leave out an event, and put other facts behind it', () => {
    fc.assert(
      fc.property(seeds, anyFaults, (seed, faults) => {
        const { tracks } = scriptOf(seed, ...faults);
        for (const { status } of EVENTS) {
          expect(
            tracks.some(({ parcels }) => parcels.some((it) => it.status === status && it.kind === 'event')),
          ).to.equal(true);
        }
        for (const { parcels } of tracks) {
          const kinds = parcels.map(({ kind }) => kind);
          if (kinds.includes('other-facts')) expect(kinds.at(-1)).to.equal('other-facts');
          expect(new Set(parcels.map(({ status }) => status)).size).to.equal(1);
        }
      }),
    );
  });

  it('do what they are named after', () => {
    const kinds = (fault: Fault): readonly string[] => parcelsOf(scriptOf('a', fault)).map(({ kind }) => kind);
    expect(kinds('duplicates').filter((kind) => kind === 'duplicates')).to.have.length.within(3, 6);
    expect(kinds('wrong-signature')).to.deep.equal(EVENTS.flatMap(() => ['wrong-signature', 'event']));
    expect(kinds('altered-bytes')).to.deep.equal(EVENTS.flatMap(() => ['altered-bytes', 'event']));
    expect(kinds('other-facts')).to.deep.equal(EVENTS.flatMap(() => ['event', 'other-facts']));
    expect(kinds('reserialised')).to.have.members(EVENTS.flatMap(() => ['event', 'reserialised']));
    expect(scriptOf('a', 'burst').together).to.equal(true);
    const delays = scriptOf('a', 'delay').tracks.map(({ delayMs }) => delayMs);
    expect(Math.max(...delays)).to.be.within(1, 2_000);
    const orders = ['a', 'b', 'c', 'd', 'e'].map((seed) =>
      parcelsOf(scriptOf(seed, 'shuffle'))
        .map(({ status }) => status)
        .join(),
    );
    expect(new Set(orders).size).to.be.greaterThan(1);
  });

  it('write other bytes for a reserialised event, which is not what JSON.stringify would make of it', () => {
    for (const { body, kind } of parcelsOf(scriptOf('a', 'reserialised'))) {
      const text = body.toString();
      expect(JSON.stringify(JSON.parse(text)) === text, kind).to.equal(kind === 'event');
      if (kind === 'reserialised') expect(text).to.include(String.raw`\u0040example.com`);
    }
  });

  it('that are unknown are refused in one line that names the right ones', () => {
    expect(readFaults(['duplicates', 'dupes'])).to.deep.equal({
      _tag: 'Left',
      left: `"dupes" is no fault; expected ${Object.keys(FAULTS).join(', ')}`,
    });
    expect(readFaults(['toString'])).to.have.property('_tag', 'Left');
    expect([...right(readFaults(Object.keys(FAULTS)))]).to.have.length(12);
  });
});
