import { expect } from 'chai';
import { startLedger } from '../support/running-ledger.ts';
import { besideBadConnections } from './bad-network/beside-bad-connections.ts';

const SECONDS = 40;
/** As many a second as a day's worth of a connection each second makes in ten minutes. */
const CONNECTIONS_A_SECOND = 144;
const DELIVERIES_A_SECOND = 50;

describe('slow, cut and half-open connections', () => {
  it('lose no delivery that comes beside them', async () => {
    const ledger = await startLedger({ env: { WEBHOOK_MAX_BODY_BYTES: '262144' } });
    const figures = await besideBadConnections(ledger.url, SECONDS, CONNECTIONS_A_SECOND, DELIVERIES_A_SECOND);
    expect(figures.opened).to.be.at.least(SECONDS * CONNECTIONS_A_SECOND * 0.9);
    expect(figures.statuses).to.deep.equal({ 200: figures.delivered });
    expect(await ledger.eventCount()).to.equal(figures.delivered);
    expect(ledger.unexpected).to.deep.equal([]);
    await ledger.close();
  });
});
