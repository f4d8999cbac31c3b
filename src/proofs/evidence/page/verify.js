'use strict';

/**
 * Checks evidence with nothing but what a browser brings along. What it checks, and how, is in docs/spec/evidence.md;
 * `ramp-ledger verify-evidence` checks the same by another program.
 */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{ ok: boolean | null, text: string }} Finding `ok` is null where it could not be looked at. */
/** @typedef {{ name: string, keyId: Bytes, key: CryptoKey, pem: string }} Verifier */
/** @typedef {{ origin: string, size: number, root: string, text: string, signatures: { name: string, bytes: Bytes }[] }} Checkpoint */

/** What is found out while one looks at evidence: it does not hold. */
class Wrong extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @type {(text: string) => Bytes} */
const bytesOf = (text) => new Uint8Array(encoder.encode(text));

/** @type {(bytes: Bytes) => string} */
const textOf = (bytes) => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Wrong('a text is not UTF-8');
  }
};

/** @type {(...parts: readonly Bytes[]) => Bytes} */
const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** @type {(a: Bytes, b: Bytes) => boolean} */
const isSame = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** @type {(base64: string) => Bytes} */
const fromBase64 = (base64) => {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    if (toBase64(bytes) === base64) return bytes;
  } catch {
    // Told below.
  }
  throw new Wrong('what should be base64 is none');
};

/** @type {(base64: string) => Bytes} */
const hashFrom = (base64) => {
  const bytes = fromBase64(base64);
  if (bytes.length === 32) return bytes;
  throw new Wrong('what should be a hash is none');
};

/** @type {(bytes: Bytes) => string} */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** @type {(bytes: Bytes) => string} */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @type {(bytes: Bytes) => Promise<Bytes>} */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** @type {(leaf: Bytes) => Promise<Bytes>} */
const leafHash = (leaf) => sha256(joined(Uint8Array.of(0), leaf));

/** @type {(left: Bytes, right: Bytes) => Promise<Bytes>} */
const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

// --- The ZIP: of the same files the ledger makes the same bytes, so that every byte can be compared. ---

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** @type {(bytes: Bytes) => number} */
const crc32 = (bytes) => {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 255] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
};

/** @type {(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]) => Bytes} */
const littleEndian = (...fields) =>
  Uint8Array.from(fields.flatMap(([length, value]) => Array.from({ length }, (_, i) => (value >>> (8 * i)) & 255)));

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
/** 1980-01-01 12:00, of every entry. */
const [TIME, DATE] = [0x6000, 0x0021];
const LOCAL_LENGTH = 30;

/** @type {(files: ReadonlyMap<string, Bytes>) => Bytes} */
const zipped = (files) => {
  const [parts, central] = [/** @type {Bytes[]} */ ([]), /** @type {Bytes[]} */ ([])];
  let offset = 0;
  for (const [name, content] of files) {
    const named = bytesOf(name);
    const about = littleEndian(
      [2, 20],
      [2, 0],
      [2, 0],
      [2, TIME],
      [2, DATE],
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, named.length],
      [2, 0],
    );
    const local = joined(littleEndian([4, LOCAL]), about, named, content);
    parts.push(local);
    const place = littleEndian([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    central.push(joined(littleEndian([4, CENTRAL], [2, 20]), about, place, named));
    offset += local.length;
  }
  const directory = joined(...central);
  const count = central.length;
  const end = littleEndian(
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, offset],
    [2, 0],
  );
  return joined(...parts, directory, end);
};

/** @type {(bytes: Bytes) => ReadonlyMap<string, Bytes>} */
const unzipped = (bytes) => {
  const view = new DataView(bytes.buffer);
  /** @type {Map<string, Bytes>} */
  const files = new Map();
  let at = 0;
  while (at + LOCAL_LENGTH <= bytes.length && view.getUint32(at, true) === LOCAL) {
    const [size, nameLength] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
    const begin = at + LOCAL_LENGTH + nameLength;
    const name = textOf(bytes.slice(at + LOCAL_LENGTH, begin));
    if (begin + size > bytes.length || files.has(name)) break;
    files.set(name, bytes.slice(begin, begin + size));
    at = begin + size;
  }
  if (!isSame(zipped(files), bytes))
    throw new Wrong('the ZIP is not byte for byte as the ledger writes it: it was altered, cut off, or packed again');
  return files;
};

/** @type {(files: ReadonlyMap<string, Bytes>, name: string) => Bytes} */
const fileOf = (files, name) => {
  const file = files.get(name);
  if (file === undefined) throw new Wrong(`${name} is missing`);
  return file;
};

// --- Keys and notes (C2SP signed-note, tlog-checkpoint) ---

const [ED25519, COSIGNATURE] = [1, 4];
/** What stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const ED25519_SPKI = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);

/** @type {(name: string, tagged: Bytes) => Promise<Bytes>} */
const keyIdOf = async (name, tagged) => (await sha256(joined(bytesOf(`${name}\n`), tagged))).slice(0, 4);

/** @type {(line: string, algorithm?: number) => Promise<Verifier>} */
const verifierOf = async (line, algorithm = ED25519) => {
  const [, name = '', keyId = '', base64 = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(line) ?? [];
  const tagged = fromBase64(base64);
  if (tagged.length !== 33 || tagged[0] !== algorithm) throw new Wrong('a key is no Ed25519 key of its kind');
  const id = await keyIdOf(name, tagged);
  if (hex(id) !== keyId) throw new Wrong('a key is not the one that its line names');
  const key = await crypto.subtle.importKey('raw', tagged.slice(1), 'Ed25519', false, ['verify']);
  const spki = joined(ED25519_SPKI, tagged.slice(1));
  return { name, keyId: id, key, pem: `-----BEGIN PUBLIC KEY-----\n${toBase64(spki)}\n-----END PUBLIC KEY-----\n` };
};

/** @type {(verifier: Verifier, signature: Bytes, text: Bytes) => Promise<boolean>} */
const isSignedBy = ({ key }, signature, text) => crypto.subtle.verify('Ed25519', key, signature, text);

/** @type {(note: string) => Checkpoint} */
const checkpointIn = (note) => {
  const end = note.indexOf('\n\n');
  const [text, lines] = [note.slice(0, end + 1), note.slice(end + 2)];
  const [, origin = '', size = '', root = ''] =
    /^([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(text) ?? [];
  if (end < 0 || origin === '' || !Number.isSafeInteger(Number(size)) || !lines.endsWith('\n')) {
    throw new Wrong('what should be a checkpoint is none');
  }
  const signatures = lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name = '', base64 = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      if (name === '') throw new Wrong('a checkpoint has a line that is no signature');
      return { name, bytes: fromBase64(base64) };
    });
  return { origin, size: Number(size), root, text, signatures };
};

/** Whether the ledger's own signature, which is the first, is of the text. @type {(checkpoint: Checkpoint, verifier: Verifier) => Promise<boolean>} */
const isSigned = async ({ origin, text, signatures }, verifier) => {
  const own = signatures[0];
  if (own === undefined || own.name !== verifier.name || origin !== verifier.name) return false;
  if (!isSame(own.bytes.slice(0, 4), verifier.keyId)) return false;
  return isSignedBy(verifier, own.bytes.slice(4), bytesOf(text));
};

/** Looks at the signatures behind the ledger's own (C2SP tlog-cosignature). @type {(checkpoint: Checkpoint, lines: readonly string[]) => Promise<Finding[]>} */
const checkCosignatures = async ({ origin, text, signatures }, lines) => {
  const keys = await Promise.all(lines.map((line) => verifierOf(line, COSIGNATURE)));
  return Promise.all(
    signatures.slice(1).map(async ({ name, bytes }) => {
      if (name === origin) return { ok: null, text: 'The signature of a key that the ledger had before this one' };
      const key = keys.find((each) => each.name === name && isSame(each.keyId, bytes.slice(0, 4)));
      if (key === undefined) return { ok: null, text: `The signature of ${name}, whose key is not in the evidence` };
      // The id of the key, a time and the signature.
      if (bytes.length !== 4 + 8 + 64) throw new Wrong(`the cosignature of ${name} is none`);
      const seconds = new DataView(bytes.buffer, 4, 8).getBigUint64(0);
      const signed = bytesOf(`cosignature/v1\ntime ${seconds}\n${text}`);
      if (!(await isSignedBy(key, bytes.slice(12), signed))) {
        throw new Wrong(`the cosignature of ${name} is not of this checkpoint`);
      }
      return { ok: true, text: `${name} has cosigned the checkpoint, by a key that you may want to compare` };
    }),
  );
};

// --- Proofs (RFC 9162, 2.1.3.2 and 2.1.4.2) ---

/** @type {(number: number) => number} */
const half = (number) => Math.floor(number / 2);

/** @type {(leaf: Bytes, index: number, size: number, hashes: readonly Bytes[]) => Promise<Bytes | null>} The root; null: the proof is of another length. */
const rootFrom = async (leaf, index, size, hashes) => {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = await nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = await nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? hash : null;
};

/** @type {(index: number, size: number) => string[]} On which side each hash of an inclusion proof stands. */
const pathSides = (index, size) => {
  const sides = [];
  for (let [node, last] = [index, size - 1]; last > 0; [node, last] = [half(node), half(last)]) {
    if (node % 2 === 1) sides.push('left');
    else if (node < last) sides.push('right');
  }
  return sides;
};

/** @type {(from: { size: number, root: Bytes }, to: { size: number, root: Bytes }, hashes: readonly Bytes[]) => Promise<boolean>} */
const isConsistent = async (from, to, hashes) => {
  if (!(Number.isSafeInteger(from.size) && from.size > 0 && from.size <= to.size)) return false;
  if (from.size === to.size) return hashes.length === 0 && isSame(from.root, to.root);
  let [node, last] = [from.size - 1, to.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [first, ...others] = node === 0 ? [from.root, ...hashes] : hashes;
  if (first === undefined) return false;
  let [ofFrom, ofTo] = [first, first];
  for (const sibling of others) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      ofFrom = await nodeHash(sibling, ofFrom);
      ofTo = await nodeHash(sibling, ofTo);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      ofTo = await nodeHash(ofTo, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(ofFrom, from.root) && isSame(ofTo, to.root);
};

// --- The evidence ---

/** @typedef {{ schemaVersion: number, receivedAt: string, signature: string, secretId: string, bodySha256: string, recordSha256: string, requestId: string, correlationId: string }} Metadata */
/** @typedef {{ revision: number, eventId: string, type: string, metadata: Metadata, keepsData: boolean, leafIndex: number, hashes: string[] }} EvidenceEvent */
/** @typedef {{ format: string, orderId: string, key: string, witnesses: string[], completeAt: { treeSize: number, checkpoint: string, hashes: string[] }, events: EvidenceEvent[] }} Evidence */

/** @type {(text: string) => unknown} */
const json = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Wrong('what should be JSON is none');
  }
};

/** @type {(value: unknown) => Record<string, unknown>} */
const objectOf = (value) => {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new Wrong('evidence.json is of another form');
};

/** An object with these members in this order, and no others: what nobody checks may not stand there. @type {(value: unknown, names: string) => Record<string, unknown>} */
const membersOf = (value, names) => {
  const object = objectOf(value);
  if (Object.keys(object).join(' ') !== names)
    throw new Wrong('evidence.json has other members than the ledger writes');
  return object;
};

/** @type {(value: unknown) => string} */
const stringOf = (value) => {
  if (typeof value === 'string') return value;
  throw new Wrong('evidence.json is of another form');
};

/** @type {(value: unknown) => number} */
const numberOf = (value) => {
  if (typeof value === 'number') return value;
  throw new Wrong('evidence.json is of another form');
};

/** @type {(value: unknown) => boolean} */
const booleanOf = (value) => {
  if (typeof value === 'boolean') return value;
  throw new Wrong('evidence.json is of another form');
};

/** @type {<A>(value: unknown, read: (each: unknown) => A) => A[]} */
const listOf = (value, read) => {
  if (Array.isArray(value)) return value.map((each) => read(each));
  throw new Wrong('evidence.json is of another form');
};

/** @type {(value: unknown) => Metadata} */
const metadataOf = (value) => {
  const metadata = membersOf(
    value,
    'schemaVersion receivedAt signature secretId bodySha256 recordSha256 requestId $correlationId',
  );
  return {
    schemaVersion: numberOf(metadata['schemaVersion']),
    receivedAt: stringOf(metadata['receivedAt']),
    signature: stringOf(metadata['signature']),
    secretId: stringOf(metadata['secretId']),
    bodySha256: stringOf(metadata['bodySha256']),
    recordSha256: stringOf(metadata['recordSha256']),
    requestId: stringOf(metadata['requestId']),
    correlationId: stringOf(metadata['$correlationId']),
  };
};

/** @type {(value: unknown) => EvidenceEvent} */
const eventOf = (value) => {
  const event = membersOf(value, 'revision eventId type metadata keepsData leafIndex hashes');
  return {
    revision: numberOf(event['revision']),
    eventId: stringOf(event['eventId']),
    type: stringOf(event['type']),
    metadata: metadataOf(event['metadata']),
    keepsData: booleanOf(event['keepsData']),
    leafIndex: numberOf(event['leafIndex']),
    hashes: listOf(event['hashes'], stringOf),
  };
};

/** @type {(text: string) => Evidence} */
const evidenceOf = (text) => {
  const written = json(text);
  // So no member stands there twice: the second one alone would be read.
  if (`${JSON.stringify(written, null, 2)}\n` !== text) throw new Wrong('evidence.json is not as the ledger writes it');
  const read = membersOf(written, 'format orderId key witnesses signedAt projections completeAt events');
  numberOf(read['projections']);
  const signedAt = stringOf(read['signedAt']);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/.test(signedAt) || Number.isNaN(Date.parse(signedAt))) {
    throw new Wrong('evidence.json does not say when it was signed');
  }
  const completeAt = membersOf(read['completeAt'], 'treeSize checkpoint hashes');
  return {
    format: stringOf(read['format']),
    orderId: stringOf(read['orderId']),
    key: stringOf(read['key']),
    witnesses: listOf(read['witnesses'], stringOf),
    completeAt: {
      treeSize: numberOf(completeAt['treeSize']),
      checkpoint: stringOf(completeAt['checkpoint']),
      hashes: listOf(completeAt['hashes'], stringOf),
    },
    events: listOf(read['events'], eventOf),
  };
};

/** @type {(files: ReadonlyMap<string, Bytes>, document: Evidence) => void} */
const checkNames = (files, { events }) => {
  const ofEvents = events.flatMap(({ revision, keepsData }) => {
    const names = [
      'body',
      ...(keepsData ? ['data.json'] : []),
      'signature.txt',
      'record.json',
      'leaf.json',
      'path.txt',
    ];
    return names.map((name) => `events/${revision}/${name}`);
  });
  const before = ['README.txt', 'verify.html', 'evidence.json', 'order.json', 'checkpoint.txt', 'ledger-key.txt'];
  const known = [...before, 'ledger-key.pem', ...ofEvents, 'SHA256SUMS', 'SHA256SUMS.sig'];
  const names = [...files.keys()];
  const other = names.filter((name) => !known.includes(name));
  if (other.length > 0) throw new Wrong(`a file is there that evidence does not have: ${other.join(', ')}`);
  if (names.join('\n') !== known.join('\n')) throw new Wrong('a file is missing, or does not stand at its place');
};

/** @type {(files: ReadonlyMap<string, Bytes>, verifier: Verifier) => Promise<void>} */
const checkList = async (files, verifier) => {
  const [list, signature] = [fileOf(files, 'SHA256SUMS'), fileOf(files, 'SHA256SUMS.sig')];
  const lines = [];
  for (const [name, content] of files) {
    if (name !== 'SHA256SUMS' && name !== 'SHA256SUMS.sig') lines.push(`${hex(await sha256(content))}  ${name}\n`);
  }
  if (lines.join('') !== textOf(list)) {
    const said = new Set(textOf(list).split('\n'));
    const other = lines.map((line) => line.trimEnd()).filter((line) => !said.has(line));
    throw new Wrong(
      `the files are not those of SHA256SUMS, or one is missing: ${other.map((line) => line.slice(66)).join(', ')}`,
    );
  }
  if (!(await isSignedBy(verifier, signature, list))) throw new Wrong('the ledger has not signed SHA256SUMS');
};

/** @type {(secrets: string, id: string) => string[]} Texts that may be the secret of this name: one alone is that of each, a list may lack it. */
const secretsFor = (secrets, id) => {
  const entries = secrets.split(',');
  // A secret has 24 bytes at least: what is shorter is no list of named ones, but a secret with such signs in it.
  const isList = entries.every(
    (entry) => /^[^\s=]+=/.test(entry) && bytesOf(entry.replace(/^[^=]*=/, '')).length >= 24,
  );
  if (!isList) return [secrets];
  return entries.filter((entry) => entry.startsWith(`${id}=`)).map((entry) => entry.slice(id.length + 1));
};

/** @type {(body: Bytes, signature: string, secret: string) => Promise<boolean>} */
const hmacFits = async (body, signature, secret) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign']);
  return hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, body))) === signature.toLowerCase();
};

/** @type {(files: ReadonlyMap<string, Bytes>, document: Evidence, event: EvidenceEvent, root: Bytes, size: number) => Promise<void>} */
const checkEvent = async (files, { orderId }, event, root, size) => {
  const { revision, eventId, type, metadata, keepsData, leafIndex, hashes } = event;
  const at = `events/${revision}`;
  const [body, stream] = [fileOf(files, `${at}/body`), `order-${orderId}`];
  const data = keepsData ? fileOf(files, `${at}/data.json`) : body;
  if (hex(await sha256(body)) !== metadata.bodySha256)
    throw new Wrong(`event ${revision}: its body has another digest`);
  const { schemaVersion, receivedAt, signature, secretId, bodySha256, requestId, correlationId } = metadata;
  const kept = [schemaVersion, receivedAt, signature, secretId, bodySha256, requestId, correlationId, keepsData];
  const record = JSON.stringify([stream, type, eventId, hex(await sha256(data)), ...kept]);
  if (textOf(fileOf(files, `${at}/record.json`)) !== record)
    throw new Wrong(`event ${revision}: its record is another one`);
  const recordSha256 = hex(await sha256(bytesOf(record)));
  if (recordSha256 !== metadata.recordSha256) throw new Wrong(`event ${revision}: its record has another digest`);
  const leaf = bytesOf(JSON.stringify({ eventId, recordSha256, revision, stream, type }));
  if (!isSame(leaf, fileOf(files, `${at}/leaf.json`))) throw new Wrong(`event ${revision}: its leaf is another one`);
  if (textOf(fileOf(files, `${at}/signature.txt`)) !== `${signature}\n`) {
    throw new Wrong(`event ${revision}: signature.txt is another signature`);
  }
  const computed = await rootFrom(await leafHash(leaf), leafIndex, size, hashes.map(hashFrom));
  if (computed === null || !isSame(computed, root))
    throw new Wrong(`event ${revision} is not in the log of the checkpoint`);
  const path = textOf(fileOf(files, `${at}/path.txt`));
  const sides = pathSides(leafIndex, size);
  if (path !== hashes.map((hash, i) => `${sides[i]} ${hash}\n`).join('')) {
    throw new Wrong(`event ${revision}: path.txt is another path`);
  }
};

/** @type {(files: ReadonlyMap<string, Bytes>, document: Evidence, secrets: string) => Promise<Finding[]>} */
const checkSignatures = async (files, { events }, secrets) => {
  if (secrets === '')
    return [{ ok: null, text: "The provider's signatures were not computed: that needs the webhook secret" }];
  /** @type {Finding[]} */
  const findings = [];
  for (const { revision, metadata } of events) {
    const body = fileOf(files, `events/${revision}/body`);
    const known = secretsFor(secrets, metadata.secretId);
    let ok = false;
    for (const secret of known) ok ||= await hmacFits(body, metadata.signature, secret);
    findings.push(
      known.length === 0
        ? { ok: null, text: `Event ${revision}: the provider's signature, by the secret ${metadata.secretId}` }
        : { ok, text: `Event ${revision}: the provider's signature ${ok ? 'fits its body' : 'DOES NOT FIT'}` },
    );
  }
  return findings;
};

/** @type {(document: Evidence, checkpoint: Checkpoint, verifier: Verifier) => Promise<Finding[]>} */
const checkComplete = async ({ events, completeAt }, checkpoint, verifier) => {
  const at = checkpointIn(completeAt.checkpoint);
  const isWhole = events.every(
    ({ revision, leafIndex }, i) => revision === i && leafIndex > (events[i - 1]?.leafIndex ?? -1),
  );
  const endsThere = events.at(-1)?.leafIndex === at.size - 1;
  const [from, to] = [at, checkpoint].map(({ size, root }) => ({ size, root: fromBase64(root) }));
  if (!isWhole || !endsThere || at.size !== completeAt.treeSize || from === undefined || to === undefined) {
    throw new Wrong('the revisions do not show that no event is missing');
  }
  if (!(await isSigned(at, verifier)) || !(await isConsistent(from, to, completeAt.hashes.map(hashFrom)))) {
    throw new Wrong("the tree that ends with the order's last event is not the beginning of the checkpoint's");
  }
  const complete = `The history is complete as of ${at.size} events of the log: revisions 0 to ${events.length - 1} follow each other, and the last one ends that tree`;
  const behind = checkpoint.size - at.size;
  /** @type {Finding} */
  const stated = {
    ok: null,
    text: `That none of the ${behind} events of the log from there to the checkpoint is of this order is the ledger's signed word: a mirror of the log shows whether it is true`,
  };
  return [{ ok: true, text: complete }, ...(behind === 0 ? [] : [stated])];
};

/** @type {(bytes: Bytes, pinned: string, secrets: string) => Promise<{ findings: Finding[], order: string | null }>} */
const check = async (bytes, pinned, secrets) => {
  /** @type {Finding[]} */
  const findings = [];
  /** @type {string | null} */
  let order = null;
  try {
    const files = unzipped(bytes);
    const document = evidenceOf(textOf(fileOf(files, 'evidence.json')));
    if (document.format !== 'ramp-ledger-evidence/1')
      throw new Wrong('the evidence is of a form that this page does not know');
    const line = textOf(fileOf(files, 'ledger-key.txt'));
    if (`${document.key}\n` !== line) throw new Wrong('ledger-key.txt has another key than evidence.json');
    if (pinned !== '' && document.key !== pinned)
      throw new Wrong('it is signed with another key than the one that you gave');
    const verifier = await verifierOf(document.key);
    if (textOf(fileOf(files, 'ledger-key.pem')) !== verifier.pem)
      throw new Wrong('ledger-key.pem has another key than ledger-key.txt');
    checkNames(files, document);
    await checkList(files, verifier);
    findings.push({
      ok: true,
      text: `No byte of the ZIP was changed since the ledger ${verifier.name} signed its list of files`,
    });
    const checkpoint = checkpointIn(textOf(fileOf(files, 'checkpoint.txt')));
    if (!(await isSigned(checkpoint, verifier))) throw new Wrong('the ledger has not signed the checkpoint');
    findings.push({
      ok: true,
      text: `The ledger has signed the checkpoint: ${checkpoint.size} events, root ${checkpoint.root}`,
    });
    for (const finding of await checkCosignatures(checkpoint, document.witnesses)) findings.push(finding);
    for (const event of document.events) {
      await checkEvent(files, document, event, fromBase64(checkpoint.root), checkpoint.size);
      findings.push({
        ok: true,
        text: `Event ${event.revision}, ${event.type}: its digests fit, and it is leaf ${event.leafIndex} of the log`,
      });
    }
    for (const finding of await checkComplete(document, checkpoint, verifier)) findings.push(finding);
    for (const finding of await checkSignatures(files, document, secrets)) findings.push(finding);
    findings.push(
      pinned === ''
        ? { ok: null, text: `Whose key it is can't be seen here. Compare: ${document.key}` }
        : { ok: true, text: 'The key is the one that you gave' },
    );
    order = textOf(fileOf(files, 'order.json'));
    if (objectOf(json(order))['orderId'] !== document.orderId) throw new Wrong('order.json is of another order');
    findings.push({
      ok: null,
      text: "That type and id of each event, and the order as shown below, are what the signed bodies give is the ledger's signed word here: ramp-ledger verify-evidence computes them",
    });
  } catch (error) {
    // Something that evidence should have is not there, or is of another kind.
    const text = error instanceof Wrong ? error.message : `it can't be read as evidence (${String(error)})`;
    findings.push({ ok: false, text });
  }
  return { findings, order };
};

// --- The page ---

/** @type {<T extends HTMLElement>(id: string, kind: new () => T) => T} */
const element = (id, kind) => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
  return found;
};

const zip = element('zip', HTMLInputElement);
const key = element('key', HTMLInputElement);
const secret = element('secret', HTMLInputElement);
const verdict = element('verdict', HTMLElement);
const meaning = element('meaning', HTMLElement);
const list = element('findings', HTMLElement);
const shown = element('order', HTMLElement);

/** Joiners and selectors of variants are seen behind what they join and select. @type {(text: string, character: string, at: number) => boolean} */
const isSeen = (text, character, at) => {
  if (!/^[\p{Join_C}\p{VS}]$/u.test(character)) return false;
  if (text.startsWith('\u20e3', at + 1)) return true;
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
  return (
    /^[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Join_C}]$/u.test(before) ||
    (/^\p{L}$/u.test(before) && !/^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]$/u.test(before))
  );
};

/** A text of others, in which controls, what turns the direction of writing and what nobody sees are shown by their codes. @type {(text: string) => string} */
const visible = (text) =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu, (character, /** @type {number} */ at) =>
    isSeen(text, character, at)
      ? character
      : Array.from(
          { length: character.length },
          (_, half) => `\\u${character.charCodeAt(half).toString(16).padStart(4, '0')}`,
        ).join(''),
  );

/** How many checks were begun: of two that overlap, the later one is shown. */
let begun = 0;

const look = async () => {
  begun += 1;
  const mine = begun;
  const file = zip.files?.[0];
  // What was said of another file is not left standing.
  verdict.textContent = file === undefined ? '' : 'Checking …';
  meaning.textContent = '';
  list.replaceChildren();
  shown.hidden = true;
  if (file === undefined) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { findings, order } = await check(bytes, key.value.trim(), secret.value.trim());
  if (mine !== begun) return;
  const holds = findings.every(({ ok }) => ok !== false);
  for (const { ok, text } of findings) {
    const item = document.createElement('li');
    item.textContent = visible(`${ok === null ? 'Not checked: ' : ok ? '' : 'WRONG: '}${text}`);
    if (ok === false) item.className = 'wrong';
    list.append(item);
  }
  shown.hidden = order === null || !holds;
  shown.textContent = holds && order !== null ? visible(order) : '';
  meaning.textContent = holds
    ? 'Nothing in it was changed, taken out or put in between since whoever has the key sealed it. What nobody can see from here is said below as “Not checked”.'
    : 'Do not rely on it. Ask for the ZIP again, as it was downloaded: one that somebody has unpacked and packed again is another one.';
  verdict.textContent = holds ? 'It holds' : 'IT DOES NOT HOLD';
};

for (const input of [zip, key, secret]) input.addEventListener('change', () => void look());
