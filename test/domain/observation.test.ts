import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { BaseUnits, Decimal } from '../../src/domain/decimal.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { compareObservations, type Observation } from '../../src/domain/observation.ts';
import { transferId } from '../../src/domain/transfer-id.ts';
import { sourced } from '../support/transfers.ts';

const observations: fc.Arbitrary<Observation> = fc
  .record({ at: fc.nat(1), units: fc.boolean(), confirmations: fc.option(fc.nat(2)), id: fc.nat(3) })
  .map(({ at, units, confirmations, id }) => {
    const seen = sourced({
      observedAt: instantOf(at),
      baseUnits: units ? branded<BaseUnits>('15') : null,
      amount: branded<Decimal>('1.5'),
      confirmations,
    });
    return { transfer: { ...seen, transferId: transferId(seen, 0) }, eventId: branded<EventId>(`id-${id}`) };
  });

describe('observations of a transfer', () => {
  it('are in an order that does not depend on which came first', () => {
    fc.assert(
      fc.property(observations, observations, observations, (a, b, c) => {
        const sign = (x: Observation, y: Observation): number => Math.sign(compareObservations(x, y));
        expect(sign(a, b) + sign(b, a)).to.equal(0);
        if (sign(a, b) >= 0 && sign(b, c) >= 0) expect(sign(a, c)).to.be.at.least(0);
        if (sign(a, b) === 0) expect(a).to.deep.include({ eventId: b.eventId });
      }),
    );
  });

  it('count by their time, then by whether the base units are known, then by confirmations', () => {
    const seen = sourced({ baseUnits: null, amount: branded<Decimal>('1.5') });
    const of = (over: Partial<Observation['transfer']>, id: string): Observation => ({
      transfer: { ...seen, transferId: transferId(seen, 0), ...over },
      eventId: branded<EventId>(id),
    });
    const rising = [
      of({}, 'z'),
      of({ confirmations: 3 }, 'y'),
      of({ baseUnits: branded<BaseUnits>('1500000') }, 'x'),
      of({ baseUnits: branded<BaseUnits>('1500000'), confirmations: 3 }, 'w'),
      of({ observedAt: instantOf(1) }, 'a'),
      of({ observedAt: instantOf(1) }, 'b'),
    ];
    expect(rising.toReversed().toSorted(compareObservations)).to.deep.equal(rising);
  });
});
