import { expect } from 'chai';
import { branded } from '../../../src/domain/brand.ts';
import type { Month } from '../../../src/domain/month.ts';
import { right } from '../../support/right.ts';
import { routeDependencies } from '../../support/route-dependencies.ts';

import { readiness } from '../../../src/queries/periods/readiness.ts';

describe('whether a month could be closed', () => {
  for (const [waiting, isOk, count, detail] of [
    [0, true, 0, 'no deliveries wait for the event store'],
    [2, false, 2, '2 deliveries wait for the event store'],
    [null, false, 1, 'how many deliveries wait for the event store is not known yet: look again in a moment'],
  ] as const) {
    it(`says of the spool that ${detail}`, async () => {
      const found = right(await readiness(routeDependencies({ waiting: () => waiting }), branded<Month>('2023-01'))());
      const check = found.checks.find(({ name }) => name === 'spool');
      expect(check).to.deep.equal({ name: 'spool', ok: isOk, count, detail, link: null });
      expect(found.ready).to.equal(isOk);
    });
  }
});
