import { expect } from 'chai';
import { GivenFiles } from '../../src/api/given-files.ts';
import { plainText, ZERO } from '../../src/domain/exact.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { ExportManifest } from '../../src/queries/exports/export-manifest.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';

const NOTHING = plainText(ZERO);
const SUM = { rows: 1, fiat: NOTHING, commission: NOTHING, tds: NOTHING };

/** Of the orders of one customer, with so many currencies of names of a thousand characters. */
const manifestOf = (customer: number, currencies: number): ExportManifest => ({
  request: {
    kind: 'orders',
    format: 'csv',
    personal: 'shown',
    filters: {},
    timeZone: 'UTC',
    now: instantOf(0),
    filter: { ...EVERY_ORDER, currency: `C${customer}` },
  },
  position: null,
  recordedAt: null,
  rows: currencies,
  bytes: 1,
  sha256: 'a'.repeat(64),
  sums: Array.from({ length: currencies }, (_, at) => ({ ...SUM, currency: `${'X'.repeat(1_000)}${at}` })),
});

/** How many of so many such files are known still. */
const keptOf = (files: number, currencies: number): number => {
  const given = new GivenFiles();
  const manifests = Array.from({ length: files }, (_, at) => manifestOf(at, currencies));
  for (const manifest of manifests) given.put('key', manifest);
  return manifests.filter(
    ({ request }) => given.of('key', { request, asOf: null, included: null, askedAt: null }, null) !== null,
  ).length;
};

describe('manifests of files that were given', () => {
  it('are kept of as many as have some KB, and of few that have thousands of currencies', () => {
    expect(keptOf(100, 1)).to.equal(100);
    expect(keptOf(100, 300)).to.be.within(1, 4);
    expect(keptOf(5, 6_000), 'the last one').to.equal(1);
  });
});
