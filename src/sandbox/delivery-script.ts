import { Big } from 'big.js';
import { isJsonNumber, member, numberText, type JsonObject } from '../domain/json.ts';
import type { Fault } from './fault.ts';
import { exactNumber } from './order-basics.ts';
import { signWith, type Parcel, type Sign } from './parcel.ts';
import type { TakenEvent } from './expected-order.ts';
import type { PlannedEvent } from './odd-payload.ts';
import type { Random } from './random.ts';

/** Parcels that follow each other, each when the one before it is through. `tells`: what a receiver learns by its event. */
export type Track = { readonly delayMs: number; readonly parcels: readonly Parcel[]; readonly tells: TakenEvent };

/** What is delivered of an event. */
type Told = Pick<PlannedEvent, 'status' | 'utr' | 'payload' | 'tells'>;

/** How an order's events are delivered: track by track, or all tracks at the same time. */
export type DeliveryScript = { readonly tracks: readonly Track[]; readonly together: boolean };

const LONGEST_DELAY_MS = 2_000;

const FORGER = signWith(Buffer.from('a secret that nobody ever agreed upon'));

/** The same JSON in other bytes: members the other way round, on lines, the at sign escaped. */
const reserialised = (payload: JsonObject): Buffer => {
  const turned = Object.fromEntries(Object.entries(payload).toReversed());
  return Buffer.from(JSON.stringify(turned, null, 2).replaceAll('@', String.raw`\u0040`));
};

/** The first digit of the amount is another one, as if somebody had changed it on the way. */
const altered = (body: Buffer): Buffer =>
  Buffer.from(body.toString().replace(/(?<="fiat":)\d/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1))));

/** Other facts under the same key: another amount. */
const contradicted = (payload: JsonObject): JsonObject => {
  const fiat = member(payload, 'fiat');
  return { ...payload, fiat: exactNumber(new Big(isJsonNumber(fiat) ? numberText(fiat) : 0).plus(1)) };
};

const trackOf = (
  orderId: string,
  { status, utr, payload, tells }: Told,
  sign: Sign,
  has: (fault: Fault) => boolean,
  random: Random,
): readonly Track[] => {
  const about = { orderId, status, utr };
  const body = Buffer.from(JSON.stringify(payload));
  const event: Parcel = { ...about, kind: 'event', body, signature: sign(body) };
  const parcels: Parcel[] = [event];
  if (has('reserialised')) {
    const other = reserialised(payload);
    const again: Parcel = { ...about, kind: 'reserialised', body: other, signature: sign(other) };
    if (random.onceIn(2)) parcels.unshift(again);
    else parcels.push(again);
  }
  if (has('altered-bytes')) {
    parcels.unshift({ ...about, kind: 'altered-bytes', body: altered(body), signature: event.signature });
  }
  if (has('wrong-signature')) {
    parcels.unshift({ ...about, kind: 'wrong-signature', body, signature: FORGER(body) });
  }
  if (has('other-facts')) {
    const other = Buffer.from(JSON.stringify(contradicted(payload)));
    parcels.push({ ...about, kind: 'other-facts', body: other, signature: sign(other) });
  }
  const delayMs = has('delay') ? random.below(LONGEST_DELAY_MS) : 0;
  const copies = has('duplicates') ? 1 + random.below(2) : 0;
  const copy: Track = { delayMs, parcels: [{ ...event, kind: 'duplicates' }], tells };
  return [{ delayMs, parcels, tells }, ...Array.from({ length: copies }, () => copy)];
};

/** How the events of an order are delivered with some faults (fault.ts says what each does). */
export const deliveryScript = (
  orderId: string,
  events: readonly Told[],
  faults: ReadonlySet<Fault>,
  sign: Sign,
  random: Random,
): DeliveryScript => {
  const has = (fault: Fault): boolean => faults.has(fault);
  const tracks = events.flatMap((event) => trackOf(orderId, event, sign, has, random));
  return {
    tracks: has('shuffle') ? random.shuffled(tracks) : tracks,
    together: has('delay') || has('burst'),
  };
};
