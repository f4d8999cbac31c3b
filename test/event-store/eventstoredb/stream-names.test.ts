import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import { keepsStreamsApart, STREAM_KINDS, type StreamName } from '../../../src/domain/ids.ts';
import { StreamNames } from '../../../src/event-store/eventstoredb/stream-names.ts';

/** Text that holds pieces of what streams begin with, which chance alone would never make. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(...STREAM_KINDS),
      fc.constantFrom(...STREAM_KINDS).chain((kind) => fc.nat(kind.length).map((length) => kind.slice(length))),
      fc.constantFrom(...STREAM_KINDS).chain((kind) => fc.nat(kind.length).map((length) => kind.slice(0, length))),
      fc.constantFrom('x', '-', 'a-', 'shop-'),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''));

const prefixes = pieces.filter((prefix) => prefix === '' || keepsStreamsApart(prefix));

describe('names of streams on a server that ledgers share', () => {
  it('of one ledger are never own to another, whatever prefixes they may have', () => {
    fc.assert(
      fc.property(prefixes, prefixes, pieces, fc.constantFrom(...STREAM_KINDS), pieces, (a, b, longer, kind, rest) => {
        for (const [one, other] of [
          [a, b],
          [a, a + longer],
          [a + longer, a],
        ] as const) {
          const areGiven = one !== other && [one, other].every((prefix) => prefix === '' || keepsStreamsApart(prefix));
          if (!areGiven) continue;
          const name = new StreamNames(one).there(branded<StreamName>(`${kind}${rest}`));
          expect(new StreamNames(other).own(name), `${name} of "${one}", to "${other}"`).to.equal(null);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('are own to their ledger alone, and what it names itself holds no name of another stream', () => {
    const names = new StreamNames('');
    for (const own of ['order-1', 'order-order-1', 'period-2026-01', 'statement-line-ids', 'profile-order-bank'])
      expect(names.own(own), own).to.equal(own);
    for (const other of ['period-order-1', 'closure-x-order-1', 'match-order-1', 'quarantine-', 'shop-order-1'])
      expect(names.own(other), other).to.equal(null);
  });

  it('can begin with what has no beginning of a stream in it', () => {
    for (const kind of STREAM_KINDS)
      for (const prefix of [kind, `x-${kind}`, `${kind}x-`]) expect(keepsStreamsApart(prefix), prefix).to.equal(false);
    for (const prefix of ['shop-a-', 'orders', 'period', 'test of orders-'])
      expect(keepsStreamsApart(prefix)).to.equal(true);
  });
});
