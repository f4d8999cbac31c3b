import { expect } from 'chai';
import { FLOWS } from '../../src/domain/flow.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { inTurns } from '../support/in-turns.ts';
import { at, scaled, textAt } from '../support/naive-json.ts';
import { naiveOrders, type Delivered } from '../support/order-oracle.ts';
import type { Attempt } from '../support/persistent-provider.ts';
import { naiveReport, numberedChains } from '../support/report-oracle.ts';
import type { Trace } from '../support/stored-traces.ts';
import { ask } from './process-fixture.ts';

const TIME_ZONE = 'UTC';
const ASKED_AT_ONCE = 8;
/** docs/spec/domain.md, Anomalies: those that depend on the clock, which the oracle has none of. */
const OF_THE_CLOCK = ['overdue', 'deemed-too-long'];

const GROUPINGS = [[], ['day', 'token', 'chain'], ['month']];

const asked = async (url: string, path: string): Promise<unknown> => {
  const { status, text } = await ask(url, path);
  expect(status, `${path}: ${text}`).to.equal(200);
  return JSON.parse(text);
};

/** What was delivered of orders, in the order of the log: the bodies are the provider's. */
const deliveredIn = (attempts: readonly Attempt[], traces: readonly Trace[]): ReadonlyMap<string, Delivered[]> => {
  const bodies = new Map(attempts.map(({ body }) => [sha256(body).toString(), body.toString()]));
  const orders = new Map<string, Delivered[]>();
  for (const { stream, bodySha256, receivedAt, eventId } of traces) {
    if (!stream.startsWith('order-')) continue;
    const body = bodies.get(bodySha256) ?? expect.fail(`a body that nobody sent, in ${stream}`);
    const delivered = { body, receivedAt: new Date(receivedAt).toISOString(), eventId };
    orders.set(stream, [...(orders.get(stream) ?? []), delivered]);
  }
  return orders;
};

const expectOrder = async (url: string, orderId: string, delivered: readonly Delivered[]): Promise<void> => {
  const order = await asked(url, `/v1/orders/${encodeURIComponent(orderId)}`);
  const [naive] = naiveOrders(delivered);
  if (naive === undefined) expect.fail(`no order ${orderId}`);
  const { flow, status, phase, fiat, currency, createdAt, settledAt, anomalous } = naive;
  const anomalies = at(order, 'anomalies');
  const codes = Array.isArray(anomalies) ? anomalies.map((it) => textAt(it, 'code')) : [];
  const settled = textAt(order, 'settledAt');
  expect(
    {
      flow: at(order, 'flow'),
      status: at(order, 'status'),
      phase: at(order, 'phase'),
      fiat: scaled(textAt(order, 'fiat', 'amount')),
      currency: at(order, 'fiat', 'currency'),
      createdAt: Date.parse(textAt(order, 'createdAt')),
      settledAt: settled === '' ? null : Date.parse(settled),
      anomalous: codes.some((code) => !OF_THE_CLOCK.includes(code)),
      eventCount: at(order, 'eventCount'),
    },
    orderId,
  ).to.deep.equal({
    flow,
    status,
    phase,
    fiat,
    currency,
    createdAt,
    settledAt,
    anomalous,
    eventCount: delivered.length,
  });
};

/** Each order and the reports of a ledger are what an oracle reads, naively and apart from it, out of what was delivered. */
export const expectOracle = async (
  url: string,
  attempts: readonly Attempt[],
  traces: readonly Trace[],
): Promise<void> => {
  const orders = deliveredIn(attempts, traces);
  await inTurns([...orders], ASKED_AT_ONCE, ([stream, delivered]) =>
    expectOrder(url, stream.slice('order-'.length), delivered),
  );
  const position = traces.at(-1)?.position ?? '';
  for (const flow of FLOWS) {
    for (const basis of ['created', 'settled']) {
      for (const groupBy of GROUPINGS) {
        const question = { flow, basis, timeZone: TIME_ZONE, groupBy };
        const path = `/v1/reports/${flow}?basis=${basis}&position=${position}`;
        const report = await asked(url, groupBy.length === 0 ? path : `${path}&groupBy=${groupBy.join(',')}`);
        const { rows, totals } = numberedChains(naiveReport([...orders.values()].flat(), question));
        expect({ rows: at(report, 'rows'), totals: at(report, 'totals') }, path).to.deep.equal({ rows, totals });
      }
    }
  }
};
