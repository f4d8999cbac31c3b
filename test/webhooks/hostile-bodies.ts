import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/domain/json.ts';
import { newOrderId, onRamp, without } from '../support/payloads.ts';

/** A body that somebody signed, and what becomes of it. */
export type HostileBody = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly outcome: 'recorded' | 'quarantined';
};

const text = (payload: JsonObject): string => JSON.stringify(payload);

/** An on-ramp payload as text, one piece of it replaced. */
const onRampText = (piece: string, by: string, over: JsonObject = {}): string => {
  const whole = text(onRamp(over));
  if (!whole.includes(piece)) throw new Error(`the sample has no ${piece}`);
  return whole.replace(piece, () => by);
};

/** The sample with a further member, written as it stands. */
const withMember = (member: string, over: JsonObject = {}): string => onRampText('"fiat":', `${member},"fiat":`, over);

const fiat = (number: string): string => onRampText('"fiat":100', `"fiat":${number}`);

/** The sample, its order id spelled as JSON text: a name of its own goes before it, so that no two are one order. */
const named = (spelled: string): string =>
  onRampText('"orderId":"replaced"', `"orderId":"${spelled.replaceAll('#', newOrderId())}"`, { orderId: 'replaced' });

const nested = (open: string, close: string, levels: number, inside = ''): string =>
  open.repeat(levels) + inside + close.repeat(levels);

const around = (before: Buffer | string, after: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(before), Buffer.from(text(onRamp())), Buffer.from(after)]);

/** The sample with bytes in the middle of a text. */
const withBytes = (...bytes: readonly number[]): Buffer => {
  const whole = Buffer.from(withMember('"note":"here"'));
  const at = whole.indexOf('here');
  return Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at + 4)]);
};

type Row = readonly [name: string, body: string | Buffer];

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** What no order event can be read from. */
const QUARANTINED: readonly Row[] = [
  ['nothing at all', ''],
  ['a blank', ' '],
  ['a NUL', '\0'],
  ['a BOM alone', BOM],
  ['two BOMs', around(Buffer.concat([BOM, BOM]), '')],
  ['a NUL at the end', around('', '\0')],
  ['a NUL inside of a text', withBytes(0)],
  ['a line break inside of a text', withBytes(0x0a)],
  ['a byte that UTF-8 has not', withBytes(0xff)],
  ['an overlong encoding', withBytes(0xc0, 0xaf)],
  ['a surrogate encoded', withBytes(0xed, 0xa0, 0x80)],
  ['a character cut off', withBytes(0xe2, 0x82)],
  ['a code point beyond Unicode', withBytes(0xf4, 0x90, 0x80, 0x80)],
  ['UTF-16', Buffer.from(`\uFEFF${text(onRamp())}`, 'utf16le')],
  ['gzip that nobody announced', gzipSync(text(onRamp()))],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '1051823.6300000001'],
  ['a text', '"fiatPending"'],
  ['an array', '[]'],
  ['an order in an array', `[${text(onRamp())}]`],
  ['an order as a text', JSON.stringify(text(onRamp()))],
  ['an empty object', '{}'],
  ['two orders', text(onRamp()) + text(onRamp())],
  ['an order cut off', text(onRamp()).slice(0, -1)],
  ['a comma too much', onRampText('"fiat":100', '"fiat":100,')],
  ['a comment', around('/* signed */', '')],
  ['single quotes', text(onRamp()).replaceAll('"', "'")],
  ['a form', 'orderId=1&status=completed'],
  ['a page', '<!doctype html><title>502</title>'],
  ['100,000 brackets, closed', nested('[', ']', 100_000)],
  ['100,000 brackets, open', nested('[', '', 100_000)],
  ['40,000 objects', nested('{"a":', '}', 40_000, '1')],
  ['100,000 levels inside of an order', withMember(`"deep":${nested('[', ']', 100_000)}`)],
  ['65 levels', withMember(`"deep":${nested('[', ']', 64)}`)],
  ['65 levels, hidden by a duplicate', withMember(`"deep":${nested('[', ']', 64)},"deep":1`)],
  ['a fiat of 1e400', fiat('1e400')],
  ['a fiat of 1e-400', fiat('1e-400')],
  ['a fiat of 1e999999999', fiat('1e999999999')],
  ['a fiat of -1', fiat('-1')],
  ['a fiat of -1e-7', fiat('-1e-7')],
  ['a fiat of 79 digits', fiat('1'.repeat(79))],
  ['a fiat of 37 decimals', fiat(`0.${'1'.repeat(37)}`)],
  ['a fiat of NaN', fiat('NaN')],
  ['a fiat of Infinity', fiat('Infinity')],
  ['a fiat of 0x64', fiat('0x64')],
  ['a fiat of 0100', fiat('0100')],
  ['a fiat of +100', fiat('+100')],
  ['a fiat of .5', fiat('.5')],
  ['a fiat with a comma', fiat('"1,000"')],
  ['a member twice with other values', withMember('"fiat":101')],
  ['a member twice, once escaped', withMember(String.raw`"fi\u0061t":101`)],
  ['a member of the customer twice', onRampText('"customer":{', '"customer":{"id":"another",')],
  ['a member of a custom pair twice', withMember('"metaData":{"a":[{"b":1,"b":2}]}')],
  ['__proto__ twice', withMember('"__proto__":1,"__proto__":2')],
  ['an order that is the prototype', `{"__proto__":${text(onRamp())}}`],
  ['an order id from the prototype', text(without(onRamp(), 'orderId')).replace('{', '{"__proto__":{"orderId":"x"},')],
  ['an order id of a lone high surrogate', named(String.raw`#\ud83d`)],
  ['an order id of a lone low surrogate', named(String.raw`\ude00#`)],
  ['an order id with U+0000', named(String.raw`#\u0000`)],
  ['an order id of 201 characters', named('x'.repeat(201))],
  ['an empty order id', named('')],
  ['a status with U+0000', text(onRamp({ status: 'completed\0' }))],
  ['an empty status', text(onRamp({ status: '' }))],
  ['a currency with U+0000', text(onRamp({ currency: '\0' }))],
  ['a day that no calendar has', text(onRamp({ createdAt: '2023-02-30T00:00:00Z' }))],
  ['a day without a time', text(onRamp({ createdAt: '2023-02-28' }))],
  ['a flow in capitals', text(onRamp({ eventType: 'ONRAMP' }))],
  ['a flow with a blank', text(onRamp({ eventType: 'onramp ' }))],
  ['the other flow with the fields of this one', text(onRamp({ eventType: 'offramp' }))],
  ['an unknown flow', text(onRamp({ eventType: 'swap' }))],
  ['the wrapped shape', text({ request_data: { orderid: newOrderId(), txnhash: '0x1', eventtype: 'onramp' } })],
];

/** What is odd, and an order event all the same. */
const RECORDED: readonly Row[] = [
  ['a BOM', around(BOM, '')],
  ['blanks around', around(' \r\n\t', '\n\n')],
  ['indented', JSON.stringify(onRamp(), null, 2)],
  ['a Go sender', withMember(String.raw`"note":"\u003cb\u003e \u0026 \u2028"`)],
  ['a slash escaped', withMember(String.raw`"note":"\/"`)],
  ['members like indices', withMember('"10":1,"9":2,"-1":3')],
  ['__proto__ as a member', withMember('"__proto__":{"polluted":true}')],
  ['__proto__ within', withMember('"metaData":{"__proto__":{"orderId":"other"},"constructor":{"prototype":{"a":1}}}')],
  ['members of every object', withMember('"toString":1,"hasOwnProperty":"no","toJSON":null,"valueOf":{},"then":{}')],
  ['64 levels', withMember(`"deep":${nested('[', ']', 63)}`)],
  ['many brackets in a text', withMember(`"note":"${'['.repeat(100_000)}"`)],
  ['10,000 members', withMember(Array.from({ length: 10_000 }, (_, i) => `"m${i}":${i}`).join(','))],
  ['a member of 100,000 letters', withMember(`"${'k'.repeat(100_000)}":1`)],
  ['1e400 where it is no amount', withMember('"metaData":{"much":1e400}')],
  ['a number of 1,000 digits where it is no amount', withMember(`"note":${'7'.repeat(1_000)}`)],
  ['a fiat of 0', fiat('0')],
  ['a fiat of -0', fiat('-0')],
  ['a fiat of 1E2', fiat('1E2')],
  ['a fiat of 78 digits', fiat('9'.repeat(78))],
  ['a fiat of 36 decimals', fiat(`0.${'1'.repeat(36)}`)],
  ['a member twice with one value', withMember('"fiat":100')],
  ['a member twice, its value spelled otherwise', withMember('"fiat":1.00e2')],
  ['a lone surrogate in a name', onRampText('"id":', String.raw`"name":"\ud800","id":`)],
  ['U+0000 in a name', onRampText('"id":', String.raw`"name":"\u0000","id":`)],
  ['a lone surrogate in a status', onRampText('"fiatPending"', String.raw`"\udc00"`)],
  ['a lone surrogate as a member', withMember(String.raw`"\ud83d":1,"\ude00":2`)],
  ['a status of every object', text(onRamp({ status: 'constructor' }))],
  ['a status of __proto__', text(onRamp({ status: '__proto__' }))],
  ['an order id of 200 characters', named('#'.padEnd(189, 'x'))],
  ['an order id of emoji', named('#👛')],
  ['an order id of two escapes', named(String.raw`#\ud83d\udc5b`)],
  ['an order id that would be a path', named('../#/..?a=b#%00')],
  ['an order id that would be a header', named(String.raw`#\r\nSet-Cookie: a=b`)],
  ['an order id that would be JSON', named(String.raw`#\",\"outcome\":\"`)],
  ['an order id that would be SQL', named("#'; drop table events; --")],
  ['an order id that would be a stream', named('order-#')],
  ['an order id of a quarantine', named(`quarantine-${'0'.repeat(64)}#`)],
  ['an order id that is every object’s', text(onRamp({ orderId: '__proto__' }))],
  ['an order id of one blank', named(' ')],
];

/** The corpus: every body by its name, its bytes, and what becomes of it. New orders at each call. */
export const hostileBodies = (): readonly HostileBody[] => [
  ...QUARANTINED.map(([name, body]): HostileBody => ({ name, bytes: Buffer.from(body), outcome: 'quarantined' })),
  ...RECORDED.map(([name, body]): HostileBody => ({ name, bytes: Buffer.from(body), outcome: 'recorded' })),
];
