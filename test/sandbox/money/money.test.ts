import { expect } from 'chai';
import { businessCalendar, type BusinessDay } from '../../../src/domain/business-day.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { explorerFile } from '../../../src/sandbox/money/explorer-file.ts';
import { EVERY_MONEY_FAULT, MONEY_FAULTS, type MoneyFaults } from '../../../src/sandbox/money/money-fault.ts';
import type { Money } from '../../../src/sandbox/money/money.ts';
import { BREAK_CODES } from '../../../projections/match/break.ts';
import { MATCH_RULES } from '../../../projections/match/rule.ts';
import { MATCH_STATES } from '../../../projections/match/match-item.ts';
import { asked, NO_FAULTS, NOW, sandboxOf } from '../sandbox-scene.ts';

const DAY = 86_400_000;
const calendar = businessCalendar('UTC');
const dayOf = (epochMs: number): BusinessDay => calendar.dayOf(instantOf(Math.floor(epochMs)));

/** By day, so far into the future that every line is booked. */
const QUESTION = { span: 'day', through: dayOf(NOW + 10 * DAY), format: null } as const;

const moneyOf = async (seed: string, orders: number, faults: MoneyFaults): Promise<Money> => {
  const sandbox = sandboxOf({ seed, callback: null });
  await sandbox.play({ orders, rate: null, withinMs: 30 * DAY, faults: NO_FAULTS });
  return sandbox.money({ faults, dayOf }, QUESTION);
};

describe('what bank and chains have of orders', () => {
  it('follows from the seed alone, and is more where there are more orders', async () => {
    const [few, again, more] = [
      await moneyOf('same', 60, EVERY_MONEY_FAULT),
      await moneyOf('same', 60, EVERY_MONEY_FAULT),
      await moneyOf('same', 120, EVERY_MONEY_FAULT),
    ];
    expect(few).to.deep.equal(again);
    expect(more.expected.length).to.be.greaterThan(few.expected.length);
    const transfers = [...few.movements.values()].flat();
    expect([...more.movements.values()].flat()).to.deep.include.members(transfers);
  });

  it('agrees with all orders where no fault is asked for', async () => {
    const { expected, files } = await moneyOf('plain', 120, new Set());
    expect(new Set(expected.map(({ state }) => state))).to.have.all.keys('matched', 'expected');
    expect(new Set(files.map(({ format }) => format))).to.have.all.keys('camt.053', 'mt940', 'csv');
  });

  it('has with all faults every state, rule and break that a file can bring about', async () => {
    const seeds = Array.from({ length: 12 }, (_, i) => `all-${i}`);
    const all = await Promise.all(seeds.map((seed) => moneyOf(seed, 240, EVERY_MONEY_FAULT)));
    const expected = all.flatMap((money) => money.expected);
    expect(new Set(expected.map(({ state }) => state))).to.have.all.keys(
      ...MATCH_STATES.filter((state) => state !== 'explained' && state !== 'ambiguous'),
    );
    const rules = new Set(expected.flatMap(({ rule }) => rule ?? []));
    expect(rules).to.have.all.keys(...MATCH_RULES);
    const codes = new Set(expected.flatMap(({ breaks }) => breaks));
    // One utr or hash on two orders is no matter of the bank's, and made-up charges are no round hundredths.
    const others = ['ambiguous', 'duplicate', 'fee-variance', 'tds-variance'];
    expect(codes).to.include.all.keys(...BREAK_CODES.filter((code) => !others.includes(code)));
    expect(expected.some(({ orders, lines }) => orders.length === 2 && lines === 1)).to.equal(true);
  });

  it('is ambiguous where two payouts without a utr are of one amount and day', () => {
    const sandbox = sandboxOf({ callback: null });
    for (const orderId of ['first', 'second'])
      sandbox.place(asked({ flow: 'offramp', path: 'no-utr', fiat: 500, currency: 'INR', orderId }));
    const { expected } = sandbox.money({ faults: new Set(), dayOf }, QUESTION);
    expect(expected).to.deep.equal([
      {
        orders: ['first', 'second'],
        unknown: [],
        lines: 2,
        transfers: 0,
        state: 'ambiguous',
        rule: 'amount-and-day',
        breaks: ['ambiguous'],
      },
    ]);
  });

  it('takes off exactly the tax where that is of hundredths', () => {
    const sandbox = sandboxOf({ callback: null });
    for (let i = 0; i < 40; i += 1)
      sandbox.place(asked({ flow: 'offramp', path: 'paid', fiat: 500, tds: 5.05, currency: 'INR' }));
    const { expected } = sandbox.money({ faults: new Set(['bank-deducted']), dayOf }, QUESTION);
    expect(expected.flatMap(({ breaks }) => breaks)).to.include.members(['amount-under', 'tds-variance']);
  });

  it('has each fault by itself', async () => {
    for (const fault of EVERY_MONEY_FAULT) {
      const { expected } = await moneyOf('one of them', 240, new Set([fault]));
      const plain = await moneyOf('one of them', 240, new Set());
      expect(expected, `${fault}: ${MONEY_FAULTS[fault]}`).to.not.deep.equal(plain.expected);
    }
  });

  it('opens each statement with what the one before closed with', async () => {
    const { files } = await moneyOf('balances', 120, EVERY_MONEY_FAULT);
    const inr = files.filter(({ currency }) => currency === 'INR');
    expect(inr.length).to.be.greaterThan(1);
    inr.slice(1).forEach(({ opening }, i) => expect(opening).to.equal(inr[i]?.closing));
  });

  it('is in an explorer’s file with units to the last digit', async () => {
    const { movements } = await moneyOf('chain', 60, new Set(['chain-unit']));
    const [first = []] = movements.values();
    const [header = '', row = ''] = explorerFile(first).split('\r\n');
    expect(header).to.include('"Transaction Hash"').and.to.include('"TokenValue"');
    expect(row.split(',')[6]).to.match(/^"\d+(?:\.\d{1,18})?"$/);
  });
});
