import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { instantOf } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { Environment } from '../../src/config/index.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { histories, ZONES, type Deed, type History } from './month-history.ts';
import { added, adjustedSums, items, ofOrders, shownSums, sumsOfOrders, totalSums } from './month-sums.ts';

const FLOWS = ['onramp', 'offramp'] as const;
const BASES = ['created', 'settled'] as const;
const DAY_MS = 86_400_000;

/** Reports and lists that are asked for again as of the moment of their first answer. */
const KEPT = [
  '/v1/reports/onramp?groupBy=day,token,chain',
  '/v1/reports/onramp?basis=settled&groupBy=month',
  '/v1/reports/offramp?basis=settled&from=2026-02-01&to=2026-02-28&groupBy=currency',
  '/v1/reports/offramp?format=csv',
  '/v1/orders?count=true&limit=500',
  '/v1/orders?phase=settled&basis=settled&from=2026-01-31&count=true&limit=500',
] as const;

type Kept = { readonly position: string; readonly timeZone: string; readonly answers: readonly string[] };

const CLOCK = ['overdue', 'deemed-too-long'];

/** A list of orders but for what the clock decides, which is another one by then, and the moment that it names. */
const withoutClock = (text: string): object => {
  const list: unknown = JSON.parse(text);
  const data = items(at(list, 'data')).map((order) => ({
    ...(typeof order === 'object' ? order : {}),
    overdue: null,
    anomalies: items(at(order, 'anomalies')).filter((anomaly) => !CLOCK.includes(String(at(anomaly, 'code')))),
  }));
  return { data, next: at(list, 'next'), total: at(list, 'total') };
};

/** A ledger that lives through a history. */
class LivingLedger {
  readonly #env: Environment;
  readonly #folder = temporaryFolder();
  #clock = Date.parse('2026-03-25T10:00:00.000Z');
  #timeZone: string = ZONES[0];
  #ledger: RunningLedger | null = null;
  /** Closed reports, as they must be from their close to their reopening. */
  readonly #closed = new Map<string, string>();
  readonly #closedMonths = new Set<string>();
  readonly #kept: Kept[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  async start(): Promise<RunningLedger> {
    this.#ledger ??= await startLedger({
      now: () => instantOf(this.#clock),
      env: { DATA_DIR: this.#folder.path, BUSINESS_TIME_ZONE: this.#timeZone, ...this.#env },
    });
    return this.#ledger;
  }

  async stop(): Promise<void> {
    await this.#ledger?.close();
    this.#ledger = null;
  }

  async end(): Promise<void> {
    await this.stop();
    this.#folder.remove();
  }

  async ask(path: string, body?: object): Promise<{ readonly status: number; readonly text: string }> {
    const { url } = await this.start();
    const response = await fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async answer(path: string): Promise<string> {
    const { status, text } = await this.ask(path);
    const { accessLines, unexpected } = await this.start();
    expect(status, `${path}: ${text} ${JSON.stringify([accessLines.at(-1), unexpected])}`).to.equal(200);
    return text;
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse(await this.answer(path));
  }

  /** The head of the log; the read models include it then. */
  async #head(): Promise<string | null> {
    const { store } = await this.start();
    const head = right(await store.head()());
    if (head !== null) await this.answer(`/v1/reports/onramp?position=${head}`);
    return head;
  }

  async does(deed: Deed): Promise<void> {
    const { url } = await this.start();
    if (deed._tag === 'Deliver') {
      const { status, text } = await deliver(url, bodyOf(deed.body));
      expect(status, text).to.equal(200);
    } else if (deed._tag === 'Close') await this.#closes(deed.monthsAgo);
    else if (deed._tag === 'Reopen') await this.#reopens();
    else if (deed._tag === 'Wait') this.#clock += deed.days * DAY_MS;
    else {
      await this.stop();
      this.#timeZone = deed.timeZone;
      // Those of the zone before serve until others are built.
      for (;;) {
        const zone = at(await this.json('/v1/reports/onramp'), 'timeZone');
        if (zone === deed.timeZone) break;
        await after(5);
      }
    }
    this.#clock += 60_000;
    await this.#head();
  }

  async #months(): Promise<readonly { readonly period: string; readonly isClosed: boolean }[]> {
    return items(at(await this.json('/v1/periods?limit=500'), 'data')).map((period) => ({
      period: String(at(period, 'period')),
      isClosed: at(period, 'state') === 'closed',
    }));
  }

  async #closes(monthsAgo: number): Promise<void> {
    const found = (await this.#months())[monthsAgo];
    if (found === undefined) return;
    const despite = ['month-over', 'earlier-closed', 'quarantine', 'clock-anomalies'];
    const { status, text } = await this.ask(`/v1/periods/${found.period}/close`, { note: 'n', despite });
    expect(status, text).to.equal(found.isClosed ? 409 : 200);
    if (found.isClosed) return;
    this.#closedMonths.add(found.period);
    for (const path of this.#reportsOf(found.period)) this.#closed.set(path, await this.answer(path));
    for (const flow of FLOWS) {
      const report = await this.answer(`/v1/reports/${flow}?period=${found.period}&basis=created`);
      expect(at(JSON.parse(text), 'reports', flow, 'sha256')).to.equal(sha256(report));
    }
  }

  #reportsOf(period: string): readonly string[] {
    return FLOWS.flatMap((flow) => BASES.map((basis) => `/v1/reports/${flow}?period=${period}&basis=${basis}`)).flatMap(
      (path) => [path, `${path}&groupBy=day,token`, `${path}&format=csv`],
    );
  }

  async #reopens(): Promise<void> {
    const latest = (await this.#months()).find(({ isClosed }) => isClosed);
    if (latest === undefined) return;
    const { status, text } = await this.ask(`/v1/periods/${latest.period}/reopen`, { note: 'again' });
    expect(status, text).to.equal(200);
    this.#closedMonths.delete(latest.period);
    for (const path of this.#reportsOf(latest.period)) this.#closed.delete(path);
  }

  /** Remembers what is answered now. */
  async keeps(): Promise<void> {
    const position = await this.#head();
    if (position === null) return;
    const answers: string[] = [];
    for (const path of KEPT) answers.push(await this.answer(path));
    this.#kept.push({ position, timeZone: this.#timeZone, answers });
  }

  /** Every answer that was kept is given again as of its moment. */
  async expectAsOf(): Promise<void> {
    for (const { position, timeZone, answers } of this.#kept) {
      if (timeZone !== this.#timeZone) continue;
      for (const [i, path] of KEPT.entries()) {
        const [text, expected] = [await this.answer(`${path}&asOf=${position}`), answers[i] ?? ''];
        const about = `${path} as of ${position}`;
        if (!path.startsWith('/v1/orders')) expect(text, about).to.equal(expected);
        else expect(withoutClock(text), about).to.deep.equal(withoutClock(expected));
      }
    }
  }

  /** Closed figures, their adjustments and the open months sum to the report over all time. */
  async expectLaw(): Promise<void> {
    const months = await this.#months();
    const closed = months.filter(({ isClosed }) => isClosed).map(({ period }) => period);
    expect([...this.#closedMonths].toSorted().toReversed(), 'closed months').to.deep.equal(closed);
    const adjustments: { readonly period: string; readonly found: unknown }[] = [];
    for (const { period, isClosed } of months) {
      const found = await this.json(`/v1/periods/${period}/adjustments?limit=500`);
      expect(items(at(found, 'data')).length > 0).to.equal(at(await this.json(`/v1/periods/${period}`), 'adjusted'));
      if (!isClosed) expect(at(found, 'data')).to.deep.equal([]);
      adjustments.push({ period, found });
    }
    for (const flow of FLOWS) {
      for (const basis of BASES) {
        const reports = await Promise.all(
          months.map(({ period }) => this.json(`/v1/reports/${flow}?period=${period}&basis=${basis}`)),
        );
        const all = await this.json(`/v1/reports/${flow}?basis=${basis}`);
        const sum = added(
          ...reports.map(totalSums),
          ...adjustments.map(({ found }) => adjustedSums(found, flow, basis)),
        );
        expect(shownSums(sum), `${flow} ${basis}`).to.deep.equal(shownSums(totalSums(all)));
        for (const { period, found } of adjustments) {
          expect(shownSums(sumsOfOrders(found, flow, basis)), `orders of ${period} ${flow} ${basis}`).to.deep.equal(
            shownSums(ofOrders(adjustedSums(found, flow, basis))),
          );
        }
      }
    }
  }

  async expectClosedBytes(): Promise<void> {
    for (const [path, text] of this.#closed) expect(await this.answer(path), path).to.equal(text);
  }
}

/** The laws of closed months and moments, on a ledger over some event store. */
export const lawsOfMonths = (
  name: string,
  open: () => Promise<{ readonly env: Environment; readonly close: () => Promise<void> }>,
  times: number,
): void => {
  describe(`months of a ledger on ${name}`, () => {
    const lives = async (history: History): Promise<void> => {
      const store = await open();
      const ledger = new LivingLedger(store.env);
      try {
        for (const stretch of history) {
          for (const [i, deed] of stretch.entries()) {
            await ledger.does(deed);
            if (i % 8 === 3) await ledger.keeps();
            if (i % 10 === 9) await ledger.expectLaw();
          }
          await ledger.expectLaw();
          await ledger.expectClosedBytes();
          await ledger.expectAsOf();
        }
      } finally {
        await ledger.end();
        await store.close();
      }
    };

    it('sum up, stay what they were closed as, and answer as of any moment what was answered then', async () => {
      await fc.assert(fc.asyncProperty(histories(30), lives), { numRuns: times, endOnFailure: true });
    }).timeout(300_000);
  });
};
