import { expect } from 'chai';
import { instantOf } from '../../src/domain/instant.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { readExposition } from '../support/exposition.ts';
import { onRamp } from '../support/payloads.ts';
import { startLedger } from '../support/running-ledger.ts';

describe('when a secret was used last', () => {
  it('is told of each delivery that it proves, a repeat too', async () => {
    let now = Date.UTC(2024, 0, 1);
    const ledger = await startLedger({ now: () => instantOf(now) });
    try {
      const payload = onRamp();
      for (const outcome of ['recorded', 'duplicate', 'duplicate']) {
        now += 60_000;
        expect(accepted(await deliver(ledger.url, payload)).outcome).to.equal(outcome);
        const { text } = await exchange(ledger.url, { path: '/metrics' });
        const name = 'ramp_ledger_webhook_secret_last_used_timestamp_seconds';
        expect(readExposition(text).valueOf(name, { secret: 'primary' }), outcome).to.equal(now / 1_000);
      }
    } finally {
      await ledger.close();
    }
  });
});
