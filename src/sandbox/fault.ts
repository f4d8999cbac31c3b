import * as E from 'fp-ts/lib/Either.js';
import { isJsonArray, type JsonValue } from '../domain/json.ts';

/** What can go wrong with deliveries on order, by name, and what each does. They can be combined. */
export const FAULTS = {
  duplicates: 'every event is sent two or three times',
  shuffle: "an order's events are sent in any order",
  delay: 'each event is held back for up to two seconds, and others overtake it',
  'other-facts': 'when an event was taken, another with the same order, status and utr, but another amount, follows',
  'other-wallet': "an order's last event names another wallet than those before it",
  'unreadable-field': "an order's last event has a number where a text belongs",
  'no-expiry': 'an order that stays pending is never said to have expired',
  'wrong-signature': 'each event is preceded by a forged one, signed with another secret',
  'altered-bytes': 'the first try of each event is altered on its way, behind its signature',
  reserialised: 'each event is sent in two spellings of the same JSON, each with its own signature',
  burst: "an order's events are sent at once, and at a rate a hundred deliveries come together",
  'give-up': 'what is not taken at the first try is never sent again',
} as const;

export type Fault = keyof typeof FAULTS;

const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name);

/** Reads names of faults; an unknown one is answered in one line that names the right ones. */
export const readFaults = (names: readonly JsonValue[]): E.Either<string, ReadonlySet<Fault>> => {
  const faults = new Set<Fault>();
  for (const name of names) {
    if (typeof name !== 'string' || !isFault(name)) {
      const given = typeof name === 'string' ? name.slice(0, 64) : name;
      return E.left(`${JSON.stringify(given)} is no fault; expected ${Object.keys(FAULTS).join(', ')}`);
    }
    faults.add(name);
  }
  return E.right(faults);
};

/** `readFaults` for a JSON member that may be left out, which leaves the usual ones. */
export const readFaultList = (
  value: JsonValue | undefined,
  usual: ReadonlySet<Fault>,
): E.Either<string, ReadonlySet<Fault>> => {
  if (value === undefined) return E.right(usual);
  if (!isJsonArray(value)) return E.left('faults: expected a list of names');
  return E.mapLeft((problem: string) => `faults: ${problem}`)(readFaults(value));
};
