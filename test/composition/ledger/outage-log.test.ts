import { expect } from 'chai';
import { outageLog } from '../../../src/composition/ledger/outage-log.ts';

describe('the log of questions', () => {
  const said: string[] = [];
  const writing = (level: string) => (_fields: object, message: string) => said.push(`${level} ${message}`);
  let away: string | null = null;
  const log = outageLog({ debug: writing('debug'), warn: writing('warn'), error: writing('error') }, () => away);
  beforeEach(() => {
    said.length = 0;
  });

  it('has no error for each that needs a store which is away, and keeps all others', () => {
    away = 'an outage';
    log.error({ code: 'store-unavailable', cause: 'refused' }, 'one');
    log.error({ code: 'internal-error', cause: 'a fault' }, 'another');
    log.warn({ code: 'store-unavailable' }, 'a warning');
    expect(said).to.deep.equal(['debug one', 'error another', 'warn a warning']);
  });

  it('has an error where the store fails that is there', () => {
    away = null;
    log.error({ code: 'store-unavailable', cause: 'a page is damaged' }, 'one');
    expect(said).to.deep.equal(['error one']);
  });
});
