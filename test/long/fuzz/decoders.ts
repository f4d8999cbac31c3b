import { parse as parseCsv } from 'csv-parse/sync';
import sax from 'sax';
import { validKey } from '../../../src/api/authorise.ts';
import { parseApiKeys } from '../../../src/config/parse-api-keys.ts';
import { parseWebhookSecrets } from '../../../src/config/parse-webhook-secrets.ts';
import { readSession } from '../../../src/console/session.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { parseMetadata } from '../../../src/domain/event-metadata.ts';
import { parseExact } from '../../../src/domain/exact.ts';
import { factsDigest } from '../../../src/domain/facts-digest.ts';
import { parseInstant } from '../../../src/domain/instant.ts';
import { parseQuarantineData, parseReleaseData } from '../../../src/domain/quarantine-data.ts';
import { plainPayload, readContent } from '../../../src/domain/read-content.ts';
import { parseAnswerLine, parseRequestLine } from '../../../src/event-store/sqlite/append-wire.ts';
import { pathOfTarget } from '../../../src/http/request-target.ts';
import { parseTraceparent } from '../../../src/http/trace-context.ts';
import { parseCheckpoint } from '../../../src/proofs/checkpoint.ts';
import { openEvidence } from '../../../src/proofs/evidence/open-evidence.ts';
import { zipped } from '../../../src/proofs/evidence/evidence-zip.ts';
import { parseNote, parseVerifierLine } from '../../../src/proofs/signed-note.ts';
import { withMaskedEmails } from '../../../src/queries/masking/email-addresses.ts';
import { masked } from '../../../src/queries/masking/masking.ts';
import { ORDER_LIST_PARAMETERS } from '../../../src/queries/orders/order-list.ts';
import { cursorOf, placeInCursor } from '../../../src/queries/parameters/cursor.ts';
import { readParameters } from '../../../src/queries/parameters/parameters.ts';
import { csvLines } from '../../../src/queries/tables/csv.ts';
import { readState } from '../../../src/read-models/stored-state.ts';
import { readCamt } from '../../../src/statements/camt/read-camt.ts';
import { readMt940 } from '../../../src/statements/mt940/read-mt940.ts';
import { readOfx } from '../../../src/statements/ofx/read-ofx.ts';
import { recogniseFormat, type StatementFormat } from '../../../src/statements/statement-format.ts';
import { isWrongProfile, parseProfile } from '../../../src/statements/table/parse-profile.ts';
import { readCsv } from '../../../src/statements/table/read-csv.ts';
import { mostKept } from '../../../src/statements/bounded-line.ts';
import { LineKeeper } from '../../../src/statements/line-keeper.ts';
import { tableReader } from '../../../src/statements/table/read-table.ts';
import { checkZip } from '../../../src/statements/table/zip-check.ts';
import { BANK_FILES } from '../../support/bank-files/bank-files.ts';
import { bodyOf, offRamp, onRamp } from '../../support/payloads.ts';
import { hostileBodies } from '../../webhooks/hostile-bodies.ts';

/** What reads bytes that somebody else wrote, and inputs to begin with. It must answer, whatever it is given. */
export type Decoder = {
  readonly name: string;
  readonly corpus: readonly Buffer[];
  readonly read: (input: Buffer) => unknown;
};

const texts = (...of: readonly string[]): readonly Buffer[] => of.map((text) => Buffer.from(text));

const ofText = (name: string, corpus: readonly Buffer[], read: (text: string) => unknown): Decoder => ({
  name,
  corpus,
  read: (input) => read(input.toString('latin1')),
});

const bankFiles = (format: StatementFormat): readonly Buffer[] =>
  BANK_FILES.filter((file) => file.format === format && file.bytes.length < 8_192).map(({ bytes }) =>
    Buffer.from(bytes),
  );

const PROFILE = parseProfile({
  date: 'Date',
  dateFormat: 'dd.mm.yyyy',
  amount: 'Amount',
  currency: 'EUR',
  reference: ['Reference'],
  text: ['Text'],
});

const keeper = (): LineKeeper => new LineKeeper(mostKept(0));

const readTableText = (text: string): unknown => {
  if (isWrongProfile(PROFILE)) return PROFILE;
  const table = tableReader(PROFILE, 'DE89', 'EUR', keeper());
  return readCsv(parseCsv, text, 0, null, table.take) ?? table.end();
};

/** Bodies as a delivery's way reads them, to the digest of their facts and to what a caller without personal data sees. */
const readBody = (input: Buffer): unknown => {
  const content = readContent(input);
  plainPayload(input.toString());
  if (content._tag !== 'OrderEvent') return content;
  return [factsDigest(content.payload), JSON.stringify(masked(content.payload))];
};

const DIGEST = 'ab'.repeat(32);

/** Everything that meets bytes from outside, beside the parser of HTTP itself. */
export const DECODERS: readonly Decoder[] = [
  {
    name: 'bodies',
    corpus: [
      bodyOf(onRamp()),
      bodyOf(offRamp()),
      ...hostileBodies().flatMap(({ bytes }) => (bytes.length < 4_096 ? [bytes] : [])),
    ],
    read: readBody,
  },
  ofText('times', texts('2026-01-31T10:00:00.123Z', '2026-01-31T10:00:00+05:30', '0000-01-01T00:00:00Z'), parseInstant),
  ofText('amounts', texts('100.10', '-0.000000000000000001', '1e400', '0'), (text) => [
    parseDecimal(text),
    parseExact(text),
  ]),
  ofText('keys of requests', texts('Bearer abcdefghijklmnopqrstuvwx', 'Basic bmFtZTprZXk='), (text) =>
    validKey([{ id: 'a', scopes: new Set(['admin']), sha256: DIGEST }], text, true),
  ),
  ofText('sessions', texts(`YQ.1790000000.${'a'.repeat(24)}.${'b'.repeat(43)}`), (text) =>
    readSession(text, [{ id: 'a', scopes: new Set(), sha256: DIGEST }], 0),
  ),
  ofText(
    'parameters',
    texts('flow=onramp&from=2026-01-01&limit=50', 'q=%E2%82%AC&currency=INR&chainId=1&cursor=x'),
    (text) => readParameters([...new URLSearchParams(text)], ORDER_LIST_PARAMETERS, () => true),
  ),
  ofText('cursors', texts(cursorOf('list', ['a', 'b'])), (text) => placeInCursor(text, 'list')),
  ofText('targets', texts('/v1/orders?a=b', 'http://user@host:80/x', 'http://[::1]/', '*', '//host'), pathOfTarget),
  ofText('traces', texts(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`), parseTraceparent),
  ofText('API keys', texts('id:orders:read+admin=aaaaaaaaaaaaaaaaaaaaaaaaaaaa,b:pii:read=x'), (text) =>
    parseApiKeys('API_KEYS', text),
  ),
  ofText('webhook secrets', texts('primary=aaaaaaaaaaaaaaaaaaaaaaaaaaaa,old=x'), (text) =>
    parseWebhookSecrets('S', text),
  ),
  ofText(
    'e-mail addresses',
    texts('a@b.example', 'a%2540b.example', String.raw`a\u0040b.example`, '"a b"@c.de'),
    withMaskedEmails,
  ),
  ofText('cells', texts('=1+1', 'x;=1+1;y', '"a","b"'), (text) => csvLines([[text, text]])),
  ofText('states', texts('{"flow":"onramp","status":"completed"}'), readState),
  ofText(
    'stored metadata',
    texts(
      `{"schemaVersion":1,"receivedAt":"2026-01-31T10:00:00.000Z","signature":"${DIGEST}","secretId":"a","bodySha256":"${DIGEST}","requestId":"request-1","$correlationId":"o","recordSha256":"${DIGEST}"}`,
    ),
    parseMetadata,
  ),
  ofText(
    'quarantine data',
    texts(
      '{"reasons":[{"path":"a","message":"b"}],"orderId":null}',
      '{"eventId":"x","outcome":"recorded","orderId":"o"}',
    ),
    (text) => [parseQuarantineData(text), parseReleaseData(text)],
  ),
  ofText(
    'lines of the socket',
    texts('{"stream":"order-a","expected":0,"events":[]}', '{"_tag":"Right","right":{"position":"1"}}'),
    (text) => [parseRequestLine(text), parseAnswerLine(text)],
  ),
  ofText(
    'notes',
    texts(`ramp-ledger/0123\n5\n${'A'.repeat(43)}=\n\n\u2014 ramp-ledger/0123 AAAA\n`, 'name+12345678+AAAA'),
    (text) => [parseNote(text), parseCheckpoint(text), parseVerifierLine(text)],
  ),
  {
    name: 'evidence',
    corpus: [
      zipped(
        new Map([
          ['evidence.json', Buffer.from('{}')],
          ['SHA256SUMS', Buffer.from('a')],
        ]),
      ),
    ],
    read: openEvidence,
  },
  { name: 'camt.053', corpus: bankFiles('camt.053'), read: (input) => readCamt(sax.SAXParser, input, keeper()) },
  { name: 'ofx', corpus: bankFiles('ofx'), read: (input) => readOfx(sax.SAXParser, input, keeper()) },
  { name: 'mt940', corpus: bankFiles('mt940'), read: (input) => readMt940(input, keeper()) },
  ofText('csv', [...bankFiles('csv'), ...texts('Date;Amount;Reference;Text\n01.02.2026;1,50;a;b\n')], readTableText),
  { name: 'workbooks', corpus: bankFiles('xlsx'), read: checkZip },
  {
    name: 'kinds of bank files',
    corpus: BANK_FILES.map(({ bytes }) => Buffer.from(bytes.subarray(0, 512))),
    read: (input) => recogniseFormat(input, true),
  },
];
