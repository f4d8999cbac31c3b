import { expect } from 'chai';
import { GivenFiles } from '../../src/api/given-files.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { ExportRequest } from '../../src/queries/exports/export-request.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import { NOW } from '../support/route-dependencies.ts';

const REQUEST: ExportRequest = {
  kind: 'orders',
  format: 'csv',
  personal: 'masked',
  filters: {},
  timeZone: 'UTC',
  now: NOW,
  filter: EVERY_ORDER,
};
/** Of six thousand currencies with names of 900 characters. */
const LARGE = 5_500_000;

describe('manifests of files that were given', () => {
  const kept = (bytes: number, files: number): readonly number[] => {
    const given = new GivenFiles();
    const all = Array.from({ length: files }, (_, i) => i);
    for (const i of all) given.put('k', { request: REQUEST, position: positionAt(i), bytes: new Uint8Array(bytes) });
    return all.filter((i) => {
      const found = [null, NOW].map((askedAt) =>
        given.of('k', { request: REQUEST, asOf: null, included: null, askedAt }, positionAt(i)),
      );
      expect(found[0], 'by its key and by its moment').to.equal(found[1]);
      return found[0] !== null;
    });
  };

  it('are kept by the hundreds', () => {
    expect(kept(2_000, 1_500).length).to.be.within(450, 1_000);
  });

  it('are kept as many large ones as come to some tens of MB', () => {
    const large = kept(LARGE, 40);
    expect(large.length * LARGE).to.be.within(20_000_000, 64 * 1_048_576);
    expect(large).to.include(39);
  });

  it('are kept at least the last one, however large it is', () => {
    expect(kept(100_000_000, 2)).to.include(1);
  });
});
