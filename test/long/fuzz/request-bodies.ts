import { zipSync } from 'fflate';
import { bodyOf, offRamp, onRamp, signatureOf } from '../../support/payloads.ts';
import { BANK_FILES } from '../../support/bank-files/bank-files.ts';
import { hostileBodies } from '../../webhooks/hostile-bodies.ts';
import { changer, type Chance } from './mutations.ts';

/** A body that a request brings, and the headers that belong to it. */
export type SentBody = { readonly headers: readonly string[]; readonly bytes: Buffer };

/** As many are made of each kind, and sent again and again: what is kept of them is bounded, however long a run is. */
const POOL = 400;
/** A larger one goes rarely, so that most requests are fast. */
const USUAL_BYTES = 6_000;

const JSON_BODIES = [
  '{"decision":"accept","with":["a","b"],"note":"x"}',
  '{"decision":"reject","with":["a"],"note":"x"}',
  '{"decision":"explain","note":"x"}',
  '{"note":"x","despite":["quarantine","breaks"]}',
  '{"note":"opened again"}',
  '{"reason":"x"}',
  '{"date":"Date","dateFormat":"dd/mm/yyyy","amount":"Amount","currency":"INR","text":["Said"],"reference":["Ref"]}',
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `{"__proto__":{"note":"x"},"constructor":1,"note":"\\u0000\\ud800"}`,
  '{"note":1e400}',
].map((text) => Buffer.from(text));

const FORM_FIELDS = ['note', 'with', 'action', 'reason', 'key', 'next', 'q', 'despite', 'profile', 'account', 'date'];

const TRANSFERS = [
  '"Transaction Hash","Blockno","UnixTimestamp","DateTime (UTC)","From","To","TokenValue","ContractAddress","TokenName","TokenSymbol"\n"0xab","1","1677652268","2023-03-01 06:31:08","0x1","0x2","1.5","0x3","T","T"\n',
  '{"chainId":1,"txHash":"0xab","logIndex":0,"amount":"1"}\n{"chainId":',
].map((text) => Buffer.from(text));

const DELIVERIES = [
  bodyOf(onRamp({ orderId: 'fuzzed' })),
  bodyOf(offRamp({ orderId: 'fuzzed-off' })),
  ...hostileBodies().map(({ bytes }) => bytes),
];

const WORKBOOK = Buffer.from(
  zipSync({
    '[Content_Types].xml': Buffer.from('<Types/>'),
    'xl/workbook.xml': Buffer.from('<workbook/>'),
    'xl/worksheets/sheet1.xml': Buffer.from(`<sheetData>${'<row/>'.repeat(2_000)}</sheetData>`),
  }),
);
const FILES = [...BANK_FILES.map(({ bytes }) => Buffer.from(bytes)), ...TRANSFERS, WORKBOOK];

const typed = (type: string, bytes: Buffer): SentBody => ({ headers: [`Content-Type: ${type}`], bytes });

const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-ndjson',
] as const;
const FILE_TYPES = [
  'text/csv',
  'application/xml',
  'application/x-ofx',
  'application/octet-stream',
  'text/plain',
] as const;

const inParts = (bytes: Buffer, token: string, name: string): SentBody => {
  const field = `--fuzz\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n`;
  const file = `--fuzz\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  return typed(
    'multipart/form-data; boundary=fuzz',
    Buffer.concat([Buffer.from(field + file), bytes, Buffer.from('\r\n--fuzz--\r\n')]),
  );
};

/** A half of them as they are in the corpus, the others changed. */
const pooled = (corpus: readonly Buffer[], chance: Chance): readonly Buffer[] => {
  const change = changer(corpus, chance);
  const small = corpus.filter(({ length }) => length <= USUAL_BYTES);
  return Array.from({ length: POOL }, (_, i) =>
    i % 2 === 0 ? chance.among(small, Buffer.alloc(0)) : change(chance.among(small, Buffer.alloc(0))),
  );
};

const NAMES = ['a.csv', '../../etc/passwd', 'a".csv', '\0', 'x'.repeat(300), 'a\u202evsc.exe'] as const;

/**
 * Bodies of every kind that a route takes, mostly of the kind that this one does: signed deliveries, files of banks and explorers, JSON, forms with and without
 * a file.
 *
 * @param token of the forms of a session
 */
export const bodySource = (chance: Chance): ((path: string, token: string) => SentBody) => {
  const { one, among, happens, below } = chance;
  const deliveries = pooled(DELIVERIES, chance);
  const files = pooled(FILES, chance);
  const texts = pooled(JSON_BODIES, chance);
  const nothing = Buffer.alloc(0);
  const delivery = (): SentBody => {
    const bytes = happens(2) ? among(DELIVERIES, nothing) : among(deliveries, nothing);
    const signature = happens(950) ? signatureOf(bytes) : among(['', 'zz', 'ab'.repeat(32), '='.repeat(64)], '');
    return { headers: ['Content-Type: application/json', `X-Service-Signature: ${signature}`], bytes };
  };
  const form = (token: string): SentBody => {
    const fields = Array.from({ length: below(4) }, (): [string, string] => [
      among(FORM_FIELDS, 'note'),
      among(texts, nothing).toString('latin1').slice(0, 40),
    ]);
    const text = new URLSearchParams([['token', token], ...fields]).toString();
    return typed('application/x-www-form-urlencoded', Buffer.from(text));
  };
  const file = (): Buffer => (happens(5) ? among(FILES, nothing) : among(files, nothing));
  const ofJson = (): SentBody => typed(one(JSON_TYPES), among(texts, nothing));
  const ofFile = (): SentBody => typed(one(FILE_TYPES), file());
  const kinds = (token: string): readonly [fits: RegExp, body: () => SentBody][] => [
    [/^\/v1\/webhooks$/, delivery],
    [/^\/v1\/(?:statements|transfers)$/, ofFile],
    [/^\/v1/, ofJson],
    [/^\/console\/reconciliation\/import$/, () => inParts(file(), token, one(NAMES))],
    [/^/, () => form(token)],
  ];
  return (path, token) => {
    const of = kinds(token);
    const fitting = of.find(([fits]) => fits.test(path));
    const [, body] = happens(100) || fitting === undefined ? among(of, [/^/, delivery]) : fitting;
    return body();
  };
};
