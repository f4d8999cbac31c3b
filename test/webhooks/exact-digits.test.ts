import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../src/domain/json.ts';
import { accepted } from '../support/answers.ts';
import { decimalTexts } from '../support/arbitraries.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { newOrderId, offRamp, onRamp, signatureOf } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const WEI = '115792089237316195423570985008687907853269984665640564039457584007913129639935';

describe('digits of a delivery', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());

  const ask = async (orderId: string, rest = ''): Promise<Answer> => {
    const path = `/v1/orders/${encodeURIComponent(orderId)}${rest}`;
    const answer = await exchange(ledger.url, { path, headers: { authorization: `Bearer ${API_KEY}` } });
    expect(answer.status, answer.text).to.equal(200);
    return answer;
  };

  /** Delivers a payload with numbers written as they stand, and looks at everything that then shows them. */
  const shows = async (
    payload: JsonObject,
    numbers: Readonly<Record<string, string>>,
    inOrder: readonly string[],
  ): Promise<void> => {
    const orderId = newOrderId('digits');
    const sample = JSON.stringify({ ...payload, orderId });
    const text = Object.entries(numbers).reduce(
      (before, [field, digits]) => before.replace(new RegExp(`"${field}":[^,}]+`), () => `"${field}":${digits}`),
      sample,
    );
    for (const digits of Object.values(numbers)) expect(text).to.include(digits);
    const { stream, outcome } = accepted(await deliver(ledger.url, text));
    expect([outcome, stream]).to.deep.equal(['recorded', `order-${orderId}`]);
    const bytes = await ask(orderId, '/events/0/body');
    expect(bytes.text).to.equal(text);
    expect(bytes.headers['x-service-signature']).to.equal(signatureOf(Buffer.from(text)));
    const events = (await ask(orderId, '/events')).text;
    for (const [field, digits] of Object.entries(numbers)) expect(events).to.include(`"${field}":${digits}`);
    const order = (await ask(orderId)).text;
    for (const shown of inOrder) expect(order).to.include(shown);
    expect((await ask(orderId, '/audit')).text).to.include('"verified":"yes"');
  };

  it('beyond a double are shown as they came', () =>
    shows(onRamp(), { fiat: '1051823.6300000001' }, ['"amount":"1051823.6300000001"']));

  it('that are zeros at the end are shown as they came', () =>
    shows(onRamp(), { fiat: '100.00' }, ['"amount":"100.00"']));

  it('of integers beyond 2^53 are shown as they came', () =>
    shows(onRamp(), { fiat: '9007199254740993', chainId: '18446744073709551615' }, [
      '"amount":"9007199254740993"',
      '18446744073709551615',
    ]));

  it('of 78 before and 36 behind the point are shown as they came', () =>
    shows(onRamp(), { fiat: `${WEI}.${'123456789'.repeat(4)}` }, [`"amount":"${WEI}.${'123456789'.repeat(4)}"`]));

  it('of base units that no integer of 64 bits holds are shown as they came', () =>
    shows(onRamp(), { transferredAmountWei: `"${WEI}"`, transferredAmount: '"0.010000000000000000"' }, [
      `"baseUnits":"${WEI}"`,
      '"amount":"0.010000000000000000"',
    ]));

  it('of tokens and TDS are shown as they came', () =>
    shows(offRamp(), { fiat: '5023.50', tokensDeducted: '61.250000000000000001', tds: '0.10' }, [
      '"amount":"5023.50"',
      '"tokensDeducted":"61.250000000000000001"',
      '"tds":"0.10"',
    ]));

  it('of custom pairs are shown as they came', () =>
    shows(onRamp({ metaData: { mine: 0 } }), { mine: '12345678901234567890.10' }, ['"mine":12345678901234567890.10']));

  it('with an exponent are kept in events and bytes, and written out in the order', () =>
    shows(onRamp(), { fiat: '1.050E3' }, ['"amount":"1050"']));

  it('of any amount are shown as they came', async () => {
    await fc.assert(
      fc.asyncProperty(decimalTexts, decimalTexts, (fiat, tds) =>
        shows(offRamp(), { fiat, tds }, [`"amount":"${fiat}"`, `"tds":"${tds}"`]),
      ),
      { numRuns: 30 },
    );
  });
});
