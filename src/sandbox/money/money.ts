import type { BusinessDay } from '../../domain/business-day.ts';
import type { Random } from '../random.ts';
import { bankEntries } from './bank-entries.ts';
import { bankFile, type BankFile, type BankFormat } from './bank-file.ts';
import { bankStatements, type StatementSpan } from './bank-statements.ts';
import { chainMovements, type ChainMovement } from './chain-movements.ts';
import { expectedItems, type ExpectedItem } from './expected-items.ts';
import type { MoneyFaults } from './money-fault.ts';
import type { MoneyOrder } from './money-order.ts';

/** Which files are asked for. */
export type MoneyQuestion = {
  readonly span: StatementSpan;
  /** The last day that is in them. */
  readonly through: BusinessDay;
  /** Null: each currency in its usual format. */
  readonly format: BankFormat | null;
};

/** What bank and chains have of some orders, and what must be found when a ledger has taken it all. */
export type Money = {
  readonly files: readonly BankFile[];
  /** By chain. */
  readonly movements: ReadonlyMap<number, readonly ChainMovement[]>;
  readonly expected: readonly ExpectedItem[];
};

/** What a sandbox's bank and chains are made from. */
export type MoneyMeans = {
  readonly orders: readonly MoneyOrder[];
  readonly faults: MoneyFaults;
  readonly random: Random;
  readonly dayOf: (epochMs: number) => BusinessDay;
  readonly nowMs: number;
};

/** All files, movements and expectations. Equal orders, seeds and questions make equal files. */
export const moneyOf = (
  { orders, faults, random, dayOf, nowMs }: MoneyMeans,
  { span, through, format }: MoneyQuestion,
): Money => {
  const scene = { random, faults, dayOf };
  const statements = bankStatements(bankEntries(orders, scene), { span, through, random });
  const movements = chainMovements(orders, scene).filter(({ atMs }) => dayOf(atMs) <= through);
  // A table without a line is none that could be imported, and says nothing of its days.
  const written = statements
    .map((statement) => ({ statement, file: bankFile(statement, format) }))
    .filter(({ file }) => file.format !== 'csv' || file.lines > 0);
  return {
    files: written.map(({ file }) => file),
    movements: Map.groupBy(movements, ({ chainId }) => chainId),
    expected: expectedItems({
      orders,
      entries: written.flatMap(({ statement }) => statement.lines),
      files: written.map(({ file, statement: { lines } }) => ({
        currency: file.currency,
        from: file.format === 'csv' ? (lines[0]?.bookedOn ?? file.from) : file.from,
        to: file.format === 'csv' ? (lines.at(-1)?.bookedOn ?? file.to) : file.to,
      })),
      movements,
      dayOf,
      today: dayOf(nowMs),
    }),
  };
};
