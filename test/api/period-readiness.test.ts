import { expect } from 'chai';
import { askedOfThreads } from '../support/asked-of-threads.ts';
import { accepted } from '../support/answers.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const MONTH = '2023-03';
const HEADERS = { authorization: `Bearer ${API_KEY}` };

describe('what is left to do in a month', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
    const { position } = accepted(await deliver(ledger.url, bodyOf(onRamp({ createdAt: `${MONTH}-01T00:00:00Z` }))));
    const path = `/v1/orders?position=${position}`;
    expect((await exchange(ledger.url, { path, headers: HEADERS })).status).to.equal(200);
  });
  after(() => ledger.close());

  // Of either there may be thousands, each of a currency of its own: what is made of them comes, and not they themselves.
  const HEAVY = ['Cells', 'Orders', 'MatchSummary', 'Report', 'MatchItems'];

  it('is reckoned in the query thread, all of it that is made of cells and orders', async () => {
    const asked = await askedOfThreads(async () => {
      const { status, text } = await exchange(ledger.url, { path: `/v1/periods/${MONTH}/readiness`, headers: HEADERS });
      expect(status, text).to.equal(200);
      expect(text).to.include('"name":"clock-anomalies","ok":false,"count":1');
    });
    expect(asked).to.include.members(['FigureMonths', 'MonthChecks']);
    expect(asked).not.to.include.oneOf(HEAVY);
  });

  it('is so for its page, too, and for whoever closes it', async () => {
    const cookie = await signedInCookie(ledger.url, API_KEY);
    const asked = await askedOfThreads(async () => {
      const page = await exchange(ledger.url, { path: `/console/periods/${MONTH}`, headers: { cookie } });
      expect(page.status, page.text).to.equal(200);
      const path = `/v1/periods/${MONTH}/close`;
      const body = Buffer.from('{}');
      const headers = { ...HEADERS, 'content-type': 'application/json' };
      const refused = await exchange(ledger.url, { method: 'POST', path, headers, body });
      expect(refused.text).to.include('not well: clock-anomalies; ');
    });
    expect(asked).to.include.members(['FigureMonths', 'MonthChecks']);
    expect(asked).not.to.include.oneOf(HEAVY);
  });
});
