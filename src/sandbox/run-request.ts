import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { member, type JsonObject } from '../domain/json.ts';
import { readFaultList, type Fault } from './fault.ts';
import type { Run } from './sandbox.ts';

const MEMBERS: readonly string[] = ['orders', 'rate', 'days', 'faults'];
const MS_PER_DAY = 86_400_000;

/** The most of each that makes sense: more is a typing error. */
export const RUN_LIMITS = { orders: 1_000_000_000, rate: 100_000, days: 3_650 } as const;

const numberIn = (
  body: JsonObject,
  name: keyof typeof RUN_LIMITS,
  isFit: (value: number) => boolean,
  expected: string,
): E.Either<string, number | null> => {
  const value = member(body, name) ?? null;
  if (value === null) return E.right(null);
  const isRight = typeof value === 'number' && isFit(value) && value <= RUN_LIMITS[name];
  return isRight ? E.right(value) : E.left(`${name}: expected ${expected} up to ${RUN_LIMITS[name]}`);
};

/** Reads `{orders, rate, days, faults}`, of which each may be left out; what is wrong is said in one line. */
export const readRun = (body: JsonObject, usualFaults: ReadonlySet<Fault>): E.Either<string, Run> => {
  const unknown = Object.keys(body).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return E.left(`${JSON.stringify(unknown.slice(0, 64))} is not known here; expected ${MEMBERS.join(', ')}`);
  }
  return pipe(
    E.Do,
    E.bind('orders', () =>
      numberIn(body, 'orders', (value) => Number.isInteger(value) && value >= 0, 'a whole number'),
    ),
    E.bind('rate', () => numberIn(body, 'rate', (value) => value > 0, 'a number greater than 0')),
    E.bind('days', () => numberIn(body, 'days', (value) => value >= 0, 'a number')),
    E.bind('faults', () => readFaultList(member(body, 'faults'), usualFaults)),
    E.filterOrElse(
      ({ orders, rate }) => orders !== null || rate !== null,
      () => 'give orders, how many, or rate, how many webhooks a second',
    ),
    E.map(({ days, ...run }) => ({ ...run, withinMs: Math.round((days ?? 0) * MS_PER_DAY) })),
  );
};
