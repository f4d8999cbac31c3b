import type { Flow } from '../domain/flow.ts';
import type { JsonObject } from '../domain/json.ts';
import { instantOf } from '../domain/instant.ts';
import type { Random } from './random.ts';
import { randomDigits, randomHex } from './random-ids.ts';

const NAMES = [
  'Asha Rao',
  'Vikram Shah',
  'Meera Iyer',
  'Jonas Weber',
  'Leila Haddad',
  'Arjun Nair',
  'Zoë Müller',
] as const;

/** How many customers there are; each of them orders again and again. */
const CUSTOMERS = 400;
const DAY = 86_400_000;
const FIRST_SIGNED_UP = Date.UTC(2022, 10, 28, 12, 45, 17);

/**
 * A customer of the merchant's in the forms that docs/spec/provider.md's samples show: with an empty phone and no name
 * on-ramp, with a name and the members of a phone, which may be empty, off-ramp.
 * @param random the sandbox's, not an order's: the same customers order again
 * @param pick the order's
 */
export const pickCustomer = (random: Random, pick: Random, flow: Flow): JsonObject => {
  const its = random.derived(`customer/${pick.below(CUSTOMERS)}`);
  const id = randomHex(its, 24);
  const name = its.pick(NAMES);
  const mailbox = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.');
  const createdAt = instantOf(FIRST_SIGNED_UP + its.below(400) * DAY + its.below(DAY));
  const number = `9${randomDigits(its, 9)}`;
  const email = `${mailbox}.${id.slice(0, 6)}@example.com`;
  if (flow === 'onramp') return { id, email, phone: {}, created_at: createdAt };
  const hasPhone = !its.onceIn(4);
  return {
    id,
    email,
    phone: { countrycode: hasPhone ? '+91' : '', number: hasPhone ? number : '' },
    created_at: createdAt,
    name: its.onceIn(5) ? '' : name,
  };
};
