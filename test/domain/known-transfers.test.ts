import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BaseUnits, Decimal } from '../../src/domain/decimal.ts';
import { KnownTransfers } from '../../src/domain/known-transfers.ts';
import type { Address, SourcedTransfer, Transfer } from '../../src/domain/transfer.ts';
import { sourced } from '../support/transfers.ts';

const units = (text: string): BaseUnits => branded<BaseUnits>(text);
const tokens = (text: string): Decimal => branded<Decimal>(text);
const address = (text: string): Address => branded<Address>(text);

const first = (told: readonly SourcedTransfer[]): readonly Transfer[] => new KnownTransfers([]).named(told);

/** Which of the known ones each that is told is; -1: none of them. */
const meant = (known: readonly SourcedTransfer[], told: readonly SourcedTransfer[]): readonly number[] => {
  const named = first(known);
  const ids = named.map(({ transferId }) => transferId);
  return new KnownTransfers(named).named(told).map(({ transferId }) => ids.indexOf(transferId));
};

/** Few tokens, wallets, senders and figures, so that many are alike. */
const transfers: fc.Arbitrary<readonly SourcedTransfer[]> = fc.array(
  fc
    .record({
      token: fc.constantFrom(null, '0xdac1', '0xDAC1', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'),
      to: fc.constantFrom('0xc0', '0xC0', '0xc1'),
      from: fc.constantFrom(null, '0xf0', '0xf1'),
      baseUnits: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ token, to, from, baseUnits }) =>
      sourced({
        token: token === null ? null : address(token),
        to: address(to),
        from: from === null ? null : address(from),
        baseUnits: units(`${baseUnits}00000`),
      }),
    ),
  { maxLength: 8 },
);

describe('the transfers of a transaction', () => {
  it('have an id each, the same whatever is told of them again and in whatever order', () => {
    fc.assert(
      fc.property(transfers, fc.array(fc.nat(8), { maxLength: 8 }), (told, places) => {
        const named = first(told);
        expect(new Set(named.map(({ transferId }) => transferId)).size).to.equal(told.length);
        const some = [...new Set(places)].flatMap((place) => named[place] ?? []);
        const again = new KnownTransfers(named);
        const known = new Map(named.map((one) => [one.transferId, one]));
        const ids = new Set<string>();
        for (const { transferId, baseUnits } of again.named(some)) {
          expect(known.get(transferId)?.baseUnits, 'a figure is taken for a correction of another').to.equal(baseUnits);
          ids.add(transferId);
        }
        expect(ids.size).to.equal(some.length);
        expect(again.taken).to.deep.equal(ids);
      }),
    );
  });

  const [million, half] = [sourced({ baseUnits: units('1000000') }), sourced({ baseUnits: units('500000') })];

  it('are told apart by their figures, where a source has some of them', () => {
    expect(meant([million, half], [half])).to.deep.equal([1]);
    expect(meant([million, half], [half, million])).to.deep.equal([1, 0]);
    expect(meant([half], [million, half])).to.deep.equal([-1, 0]);
    expect(meant([half, half], [half, half, half])).to.deep.equal([0, 1, -1]);
  });

  it('are the same in tokens as in base units, as far as somebody can know', () => {
    const inTokens = (amount: string, baseUnits: string | null = null): SourcedTransfer =>
      sourced({ amount: tokens(amount), baseUnits: baseUnits === null ? null : units(baseUnits) });
    const known = [million, half];
    expect(meant(known, [inTokens('0.5'), inTokens('1.0')])).to.deep.equal([1, 0]);
    expect(meant([inTokens('1'), inTokens('0.50')], [half, million])).to.deep.equal([1, 0]);
    expect(meant([inTokens('1'), inTokens('10')], [inTokens('10.0')])).to.deep.equal([1]);
    expect(meant([inTokens('1.5'), inTokens('2')], [inTokens('2', '2000000')]), 'decimals found later').to.deep.equal([
      1,
    ]);
    expect(meant([million, sourced({ baseUnits: units('100000') })], [inTokens('0.1', '100000')])).to.deep.equal([1]);
  });

  it('are told apart in tokens and in base units by one number of decimals, the usual one where several may be', () => {
    const inTokens = (amount: string): SourcedTransfer => sourced({ amount: tokens(amount), baseUnits: null });
    const inUnits = (baseUnits: string): SourcedTransfer => sourced({ baseUnits: units(baseUnits) });
    expect(meant([million], [inTokens('10'), inTokens('1')])).to.deep.equal([-1, 0]);
    expect(meant([inTokens('10'), inTokens('1')], [million])).to.deep.equal([1]);
    const coins = [inUnits(`1${'0'.repeat(18)}`), inUnits(`2${'0'.repeat(17)}`)];
    expect(meant(coins, [inTokens('0.1'), inTokens('1.0'), inTokens('0.2'), inTokens('0')])).to.deep.equal([
      -1, 0, 1, -1,
    ]);
    const cents = [inUnits('500'), inUnits('700')];
    expect(meant(cents, [inTokens('50'), inTokens('7'), inTokens('5')]), 'two decimals fit two').to.deep.equal([
      -1, 1, 0,
    ]);
    expect(meant([inUnits('0'), million], [inTokens('1'), inTokens('0.0')])).to.deep.equal([1, 0]);
  });

  it('are corrected by a source that has another figure of one, and not by what comes from another sender', () => {
    const [one, other] = [address('0xf0'), address('0xf1')];
    expect(meant([million], [half])).to.deep.equal([0]);
    expect(meant([{ ...million, from: one }], [{ ...half, from: one }])).to.deep.equal([0]);
    expect(meant([{ ...million, from: one }], [{ ...half, from: null }])).to.deep.equal([0]);
    expect(meant([{ ...million, from: one }], [{ ...half, from: other }])).to.deep.equal([-1]);
  });

  it('of one figure are several where their senders are, also where a file has one alone', () => {
    const [one, other] = [address('0xf0'), address('0xf1')];
    expect(meant([{ ...million, from: one }], [{ ...million, from: other }])).to.deep.equal([-1]);
    expect(meant([{ ...million, from: one }], [{ ...million, from: address('0xF0') }])).to.deep.equal([0]);
    expect(meant([{ ...million, from: one }], [million]), 'who sent is not said').to.deep.equal([0]);
    expect(meant([million], [{ ...million, from: one }])).to.deep.equal([0]);
    expect(meant([{ ...million, from: one }, million], [million]), 'the one without a sender first').to.deep.equal([1]);
    const inTokens = sourced({ amount: tokens('1'), baseUnits: null, from: other });
    expect(meant([{ ...million, from: one }], [inTokens]), 'nor in another form').to.deep.equal([-1]);
    expect(
      meant(
        [{ ...million, from: one }],
        [
          { ...million, from: other },
          { ...million, from: one },
        ],
      ),
    ).to.deep.equal([-1, 0]);
  });

  it("are one where sources name the chain's own coin in different ways", () => {
    const coin = sourced({ token: null });
    const named = sourced({ token: address('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE') });
    expect(meant([coin], [named])).to.deep.equal([0]);
    expect(meant([named, named], [coin, coin])).to.deep.equal([0, 1]);
    expect(meant([coin], [sourced()])).to.deep.equal([-1]);
  });

  it('are not told twice by one source, also where it tells of them in parts', () => {
    const named = first([half, half]);
    const known = new KnownTransfers(named);
    const ids = [...known.named([half]), ...known.named([half]), ...known.named([half])].map((one) => one.transferId);
    expect(ids.map((id) => named.findIndex(({ transferId }) => transferId === id))).to.deep.equal([0, 1, -1]);
    const goesOn = new KnownTransfers(named, known.taken);
    expect(named.map(({ transferId }) => transferId)).not.to.include(goesOn.named([half])[0]?.transferId);
  });
});
