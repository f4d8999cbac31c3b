import { createPublicKey, hash, sign, type KeyObject } from 'node:crypto';
import type { Files } from '../../src/proofs/evidence/evidence-files.ts';
import { unzipped, zipped } from '../../src/proofs/evidence/evidence-zip.ts';
import { LIST, LIST_SIGNATURE, listText } from '../../src/proofs/evidence/signed-list.ts';
import { noteText, parseNote, type NoteSignature } from '../../src/proofs/signed-note.ts';

/** One way to alter evidence, and its bytes then. */
export type Altered = { readonly name: string; readonly zip: Buffer };

const filesOf = (zip: Buffer): Files => unzipped(zip) ?? new Map();

const withFile = (files: Files, name: string, content: Buffer | string): Files =>
  new Map([...files, [name, Buffer.from(content)]]);

const without = (files: Files, name: string): Files => new Map([...files].filter(([each]) => each !== name));

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

const renamed = (files: Files, from: string, to: string): Files =>
  new Map([...files].map(([name, content]) => [name === from ? to : name, content]));

const edited = (files: Files, name: string, from: string | RegExp, to: string): Files =>
  withFile(files, name, (files.get(name)?.toString() ?? '').replace(from, to));

/** The signatures of the checkpoint are others. */
const signers = (
  files: Files,
  altered: (own: NoteSignature, witness: NoteSignature) => NoteSignature[],
  text?: string,
): Files => {
  const note = parseNote(files.get('checkpoint.txt')?.toString() ?? '');
  const [own, witness] = note?.signatures ?? [];
  if (note === null || own === undefined || witness === undefined) return files;
  return withFile(files, 'checkpoint.txt', noteText({ text: text ?? note.text, signatures: altered(own, witness) }));
};

/** The order of the group that Ed25519 signs in: whoever adds it to a signature has another one that a careless program takes. */
const GROUP = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

const malleable = (signature: Buffer): Buffer => {
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString('hex')}`) + GROUP;
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toReversed();
  return Buffer.concat([signature.subarray(0, 32), bytes]);
};

const twice = (files: Files, name: string): Files => {
  const content = files.get(name) ?? Buffer.alloc(0);
  return withFile(files, name, Buffer.concat([content, content]));
};

/** The list is made anew, as somebody would who has no key. */
const listedAnew = (files: Files): Files => withFile(files, LIST, listText(files));

/** Signed by a key; the one of the ledger, say, whose holder lies. */
const signedBy = (files: Files, key: KeyObject): Files => {
  const list = listText(files);
  return withFile(withFile(files, LIST, list), LIST_SIGNATURE, sign(null, Buffer.from(list), key));
};

/** The directory behind the entries is changed, and no entry. */
const directoryAt = (zip: Buffer): number => zip.readUInt32LE(zip.length - 6);

const doubled = (zip: Buffer): Buffer => {
  // The first entry stands twice, in the directory too.
  const at = directoryAt(zip);
  const end = zip.length - 22;
  const first = zip.subarray(at, at + 46 + zip.readUInt16LE(at + 28));
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(tail.readUInt16LE(8) + 1, 8);
  tail.writeUInt16LE(tail.readUInt16LE(10) + 1, 10);
  tail.writeUInt32LE(tail.readUInt32LE(12) + first.length, 12);
  return Buffer.concat([zip.subarray(0, end), first, tail]);
};

const commented = (zip: Buffer): Buffer => {
  const copy = Buffer.from(zip);
  copy.writeUInt16LE(4, copy.length - 2);
  return Buffer.concat([copy, Buffer.from('note')]);
};

/**
 * What somebody might do to the evidence of an order with at least three events: each must be found, by whatever checks it.
 *
 * @param key that of the ledger, for what only its holder could do
 * @param other one that nobody knows
 */
export const alteredEvidence = (zip: Buffer, key: KeyObject, other: KeyObject): readonly Altered[] => {
  const files = filesOf(zip);
  const body = files.get('events/0/body') ?? Buffer.alloc(0);
  const listSignature = files.get(LIST_SIGNATURE) ?? Buffer.alloc(64);
  const on = (name: string, altered: Files): Altered => ({ name, zip: zipped(altered) });
  const lied = (name: string, altered: Files): Altered => on(name, signedBy(altered, key));
  const otherBody = body.toString().replace('100', '900');
  const sha = hash('sha256', otherBody, 'hex');
  const was = hash('sha256', body, 'hex');
  return [
    on('a byte of a body', withFile(files, 'events/0/body', flipped(body, 10))),
    on('a body, and the list', listedAnew(withFile(files, 'events/0/body', otherBody))),
    on('a signature', edited(files, 'events/1/signature.txt', /^./, 'g')),
    on('the order as shown', edited(files, 'order.json', '"100"', '"900"')),
    on('the order as shown, and the list', listedAnew(edited(files, 'order.json', '"100"', '"900"'))),
    on('the explanation', edited(files, 'README.txt', 'WHAT IT SHOWS', 'WHAT IT SHOWS,')),
    on('the page that checks', edited(files, 'verify.html', 'It holds', 'It Holds')),
    on('the size of the checkpoint', edited(files, 'checkpoint.txt', /\n\d+\n/, '\n77\n')),
    on(
      'the root of the checkpoint',
      edited(files, 'checkpoint.txt', /\n[A-Za-z0-9+/]{43}=\n/, `\n${'A'.repeat(43)}=\n`),
    ),
    on(
      'the signature of the checkpoint',
      edited(files, 'checkpoint.txt', /(— log.example[^\n]*?)[A-Za-z0-9+/]{6}=*\n/, '$1AAAAAA==\n'),
    ),
    lied('the cosignature of a witness', edited(files, 'checkpoint.txt', /(— witness[^\n]*)AAAA/, '$1AAAB')),
    on('a leaf', edited(files, 'events/1/leaf.json', '"revision":1', '"revision":2')),
    on('a path', edited(files, 'events/1/path.txt', /(left|right) /, 'left +')),
    on('a digest of the list', edited(files, LIST, /^./, 'x')),
    on('the signature of the list', withFile(files, LIST_SIGNATURE, flipped(files.get(LIST_SIGNATURE) ?? body, 5))),
    on(
      'the signature of the list plus the order of the group',
      withFile(files, LIST_SIGNATURE, malleable(listSignature)),
    ),
    on('the signature of the list twice', twice(files, LIST_SIGNATURE)),
    on('other ends of lines in the list', edited(files, LIST, /\n/g, '\r\n')),
    on(
      'the cosignature is left out',
      signers(files, (own) => [own]),
    ),
    on(
      'the cosignature stands there twice',
      signers(files, (own, witness) => [own, witness, witness]),
    ),
    on(
      'the cosignature is the first',
      signers(files, (own, witness) => [witness, own]),
    ),
    on(
      'the cosignature is of a made-up witness',
      signers(files, (own, one) => [own, one, { ...one, name: 'made.up/1' }]),
    ),
    on('a second line of a key', twice(files, 'ledger-key.txt')),
    on(
      'a second key for openssl',
      withFile(files, 'ledger-key.pem', `${files.get('ledger-key.pem')?.toString()}${pemOf(other)}`),
    ),
    on('an entry outside of the folder', withFile(files, '../order.json', '{}')),
    { name: 'another ZIP behind it', zip: Buffer.concat([zip, zipped(new Map([['order.json', body]]))]) },
    { name: 'the same ZIP behind it', zip: Buffer.concat([zip, zip]) },
    on('an entry is missing', without(files, 'events/1/body')),
    on('an entry is missing, in the list too', listedAnew(without(files, 'events/1/path.txt'))),
    on('an entry is added', withFile(files, 'more.txt', 'more')),
    on('an entry is added, in the list too', listedAnew(withFile(files, 'more.txt', 'more'))),
    on('an entry has another name', renamed(files, 'order.json', 'Order.json')),
    on('two entries change places', new Map([...files].toReversed())),
    { name: 'an entry is doubled', zip: doubled(zip) },
    { name: 'a comment', zip: commented(zip) },
    { name: 'a byte behind the end', zip: Buffer.concat([zip, Buffer.of(0)]) },
    { name: 'a byte before the beginning', zip: Buffer.concat([Buffer.of(0), zip]) },
    { name: 'the end is cut off', zip: zip.subarray(0, -1) },
    { name: 'the time of an entry', zip: flipped(zip, 10) },
    { name: 'the version of an entry in the directory', zip: flipped(zip, directoryAt(zip) + 4) },
    { name: 'attributes in the directory', zip: flipped(zip, directoryAt(zip) + 38) },
    { name: 'the checksum of an entry', zip: flipped(zip, 14) },
    { name: 'another kind of file', zip: Buffer.from('no ZIP at all') },
    { name: 'nothing', zip: Buffer.alloc(0) },
    on('signed by somebody else', signedBy(files, other)),
    on("somebody's own key behind the line of the ledger's", forged(files, other)),
    lied("somebody else's key for openssl", withFile(files, 'ledger-key.pem', pemOf(other))),
    lied('the sides of a path', edited(files, 'events/1/path.txt', /^(left|right)/, 'beside')),
    lied('the ledger adds a file', withFile(files, 'more.txt', 'more')),
    on('events are added, and no list', copied(files)),
    lied('the ledger drops the last event', dropped(files, 2)),
    lied('the ledger drops an event in the middle', dropped(files, 1)),
    lied('the ledger changes a body and its digests', changedBody(files, otherBody, was, sha)),
    lied('the ledger names another leaf', edited(files, 'evidence.json', /"leafIndex": \d+/, '"leafIndex": 0')),
    lied('the ledger says more', edited(files, 'evidence.json', /^\{/, '{\n  "refunded": true,')),
    lied('the ledger exchanges two leaves', exchanged(files)),
    lied(
      'the ledger calls an event another type',
      edited(files, 'evidence.json', 'OnRampFiatPending', 'OnRampCompleted'),
    ),
    lied(
      'the ledger received an event earlier',
      edited(files, 'evidence.json', /"receivedAt": "2\d/, '"receivedAt": "19'),
    ),
    lied('the ledger says it in one line', withFile(files, 'evidence.json', oneLine(files))),
    lied('the ledger names two orders', edited(files, 'evidence.json', /^\{/, '{\n  "orderId": "another",')),
    lied(
      'the ledger names its key first',
      edited(files, 'evidence.json', /^(\{\n)(.*\n)(.*\n)( *"key".*\n)/, '$1$4$2$3'),
    ),
    lied(
      'the ledger keeps no data, in words',
      edited(files, 'evidence.json', /"keepsData": false/g, '"keepsData": "no"'),
    ),
    lied(
      'the ledger signed it yesterday, in words',
      edited(files, 'evidence.json', /"signedAt": ".*?"/, '"signedAt": "yesterday"'),
    ),
    lied(
      'the ledger numbers its projections in words',
      edited(files, 'evidence.json', /"projections": (\d+)/, '"projections": "$1"'),
    ),
    lied(
      'the ledger names a witness without a key',
      edited(files, 'evidence.json', /"witnesses": \[\n/, '"witnesses": [\n    "witness.example/none",\n'),
    ),
    lied(
      'the ledger cuts a cosignature',
      signers(files, (own, witness) => [own, { ...witness, bytes: witness.bytes.subarray(0, 6) }]),
    ),
    lied('a checkpoint of more events than a number counts', sized(files, '9007199254740993', key)),
    on('two bodies change places', swapped(files, 'events/0/body', 'events/1/body')),
    on(
      'the older checkpoint, with its own signature, and the list',
      listedAnew(withFile(files, 'checkpoint.txt', earlierIn(files))),
    ),
    on("the signature of the list is the checkpoint's", withFile(files, LIST_SIGNATURE, ownIn(files))),
    on('every file is empty', new Map([...files].map(([name]) => [name, Buffer.alloc(0)]))),
    { name: 'something between the entries and the directory', zip: between(zip) },
    { name: 'a name in the directory', zip: flipped(zip, directoryAt(zip) + 46) },
    { name: 'a flag of an entry, in the directory too', zip: flipped(flipped(zip, 6), directoryAt(zip) + 8) },
    lied('the ledger claims another tree', edited(files, 'evidence.json', /"treeSize": \d+/, '"treeSize": 1')),
  ];
};

const oneLine = (files: Files): string => JSON.stringify(JSON.parse(files.get('evidence.json')?.toString() ?? ''));

/** The checkpoint of the tree that ends with the order's last event. */
const earlierIn = (files: Files): string => {
  const document = files.get('evidence.json')?.toString() ?? '';
  return String(JSON.parse(/^ {4}"checkpoint": (".*"),$/m.exec(document)?.[1] ?? '""'));
};

const ownIn = (files: Files): Buffer =>
  parseNote(files.get('checkpoint.txt')?.toString() ?? '')?.signatures[0]?.bytes ?? Buffer.alloc(0);

/** The checkpoint names another size, and is signed anew. */
const sized = (files: Files, size: string, key: KeyObject): Files => {
  const note = parseNote(files.get('checkpoint.txt')?.toString() ?? '');
  const text = (note?.text ?? '').replace(/\n\d+\n/, `\n${size}\n`);
  return signers(files, (own) => [{ ...own, bytes: sign(null, Buffer.from(text), key) }], text);
};

const swapped = (files: Files, one: string, other: string): Files =>
  new Map(
    [...files].map(([name, content]) => [
      name,
      files.get(name === one ? other : name === other ? one : name) ?? content,
    ]),
  );

const between = (zip: Buffer): Buffer => {
  const [at, more] = [directoryAt(zip), Buffer.from('hidden')];
  const copy = Buffer.concat([zip.subarray(0, at), more, zip.subarray(at)]);
  copy.writeUInt32LE(at + more.length, copy.length - 6);
  return copy;
};

const pemOf = (key: KeyObject): string => createPublicKey(key).export({ format: 'pem', type: 'spki' });

/** Signs a checkpoint anew with another key, under the name and the id of the key that has signed it. */
const signedAnew = (note: string, key: KeyObject): string => {
  const { text, signatures } = parseNote(note) ?? { text: '', signatures: [] };
  const [own, ...witnesses] = signatures;
  const forgery = own === undefined ? [] : [{ ...own, bytes: sign(null, Buffer.from(text), key) }];
  return noteText({ text, signatures: [...forgery, ...witnesses] });
};

/** All is signed with somebody's own key, and the line that a reader compares is the ledger's: only openssl gets the other. */
const forged = (files: Files, key: KeyObject): Files => {
  const [checkpoint, document] = ['checkpoint.txt', 'evidence.json'].map((name) => files.get(name)?.toString() ?? '');
  const then = /^ {4}"checkpoint": (".*"),$/m.exec(document ?? '')?.[1] ?? '""';
  const anew = JSON.stringify(signedAnew(String(JSON.parse(then)), key));
  const signed = withFile(
    withFile(files, 'checkpoint.txt', signedAnew(checkpoint ?? '', key)),
    'evidence.json',
    (document ?? '').replace(then, () => anew),
  );
  return signedBy(withFile(signed, 'ledger-key.pem', pemOf(key)), key);
};

/** The first two events each name the leaf of the other. */
const exchanged = (files: Files): Files => {
  const [first, second] = [...(files.get('evidence.json')?.toString() ?? '').matchAll(/"leafIndex": \d+/g)];
  const document = (files.get('evidence.json')?.toString() ?? '').replaceAll(/"leafIndex": \d+/g, (line) =>
    line === first?.[0] ? (second?.[0] ?? line) : line === second?.[0] ? (first?.[0] ?? line) : line,
  );
  return withFile(files, 'evidence.json', document);
};

/** The second event stands there twice. */
const copied = (files: Files): Files =>
  new Map([
    ...files,
    ...[...files]
      .filter(([name]) => name.startsWith('events/1/'))
      .map(([name, content]) => [name.replace('/1/', '/3/'), content] as const),
  ]);

const dropped = (files: Files, revision: number): Files => {
  const parsed: unknown = JSON.parse(files.get('evidence.json')?.toString() ?? '');
  const document = typeof parsed === 'object' && parsed !== null && 'events' in parsed ? parsed : { events: [] };
  const events = Array.isArray(document.events) ? document.events.filter((_, i) => i !== revision) : [];
  const left = [...files].filter(([name]) => !name.startsWith(`events/${revision}/`));
  return withFile(new Map(left), 'evidence.json', `${JSON.stringify({ ...document, events }, null, 2)}\n`);
};

const changedBody = (files: Files, body: string, was: string, sha: string): Files => {
  const changed = edited(
    edited(withFile(files, 'events/0/body', body), 'evidence.json', was, sha),
    'events/0/record.json',
    new RegExp(was, 'g'),
    sha,
  );
  const record = changed.get('events/0/record.json') ?? Buffer.alloc(0);
  const before = hash('sha256', files.get('events/0/record.json') ?? Buffer.alloc(0), 'hex');
  const after = hash('sha256', record, 'hex');
  return edited(edited(changed, 'evidence.json', before, after), 'events/0/leaf.json', before, after);
};
