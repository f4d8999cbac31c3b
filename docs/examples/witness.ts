// A witness of transparency logs (C2SP tlog-witness and tlog-cosignature). It shares no code with the ledger, and needs
// nothing but Node:
//   node witness.ts FOLDER --name witness.example/mine --port 8100
// FOLDER/key is its key, made at the first start; FOLDER/line is the line that others know it by. FOLDER/logs has the
// lines of the keys of the logs that it knows, a line for each; it is read for each question. FOLDER/seen-… is what it
// cosigned last of a log: it is all that the witness remembers, so keep it as long as the key.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

type Tree = { readonly size: number; readonly root: Buffer };
type Signature = { readonly name: string; readonly keyId: Buffer; readonly bytes: Buffer };
type Note = { readonly text: string; readonly signatures: readonly Signature[] };
type Answer = { readonly status: number; readonly body: string };

const MOST_BYTES = 65_536;
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const [OF_LOGS, OF_WITNESSES] = [1, 4];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
  },
});
const { name, port, host } = values;
const [folder] = positionals;
if (folder === undefined || name === undefined || !/^[^\s+]+$/.test(name)) {
  console.error('usage: node witness.ts FOLDER --name NAME [--port N] [--host HOST]');
  process.exit(2);
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);
const half = (number: number): number => Math.floor(number / 2);
const keyIdOf = (owner: string, kind: number, key: Buffer): Buffer =>
  sha256(`${owner}\n`, Buffer.of(kind), key).subarray(0, 4);

/** Whether a tree is the beginning of another one (RFC 9162, 2.1.4.2); `from` has a leaf at least, and fewer than `to`. */
const isBeginning = (from: Tree, to: Tree, proof: readonly Buffer[]): boolean => {
  let [node, last] = [from.size - 1, to.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [first, ...others] = node === 0 ? [from.root, ...proof] : proof;
  if (first === undefined) return false;
  let [ofFrom, ofTo] = [first, first];
  for (const hash of others) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [ofFrom, ofTo] = [nodeHash(hash, ofFrom), nodeHash(hash, ofTo)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      ofTo = nodeHash(ofTo, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && ofFrom.equals(from.root) && ofTo.equals(to.root);
};

// --- What it keeps ---

/** Durable when this returns, all of it or nothing. */
const keep = (file: string, text: string): void => {
  writeFileSync(`${file}.draft`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.draft`, file);
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
};

mkdirSync(folder, { recursive: true, mode: 0o700 });
const keyFile = join(folder, 'key');
if (!existsSync(keyFile)) {
  keep(keyFile, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
}
const signingKey = createPrivateKey(readFileSync(keyFile));
const ownKey = createPublicKey(signingKey).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
const ownId = keyIdOf(name, OF_WITNESSES, ownKey);
const line = `${name}+${ownId.toString('hex')}+${Buffer.of(OF_WITNESSES, ...ownKey).toString('base64')}`;
keep(join(folder, 'line'), `${line}\n`);

/** The keys of a log of this name. */
const keysOf = (origin: string): readonly Buffer[] => {
  const file = join(folder, 'logs');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.flatMap((each) => {
    const [, owner, base64 = ''] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(each.trim()) ?? [];
    const key = Buffer.from(base64, 'base64');
    return owner === origin && key.length === 33 && key[0] === OF_LOGS ? [key.subarray(1)] : [];
  });
};

const seenFile = (origin: string): string => join(folder, `seen-${sha256(origin).toString('hex').slice(0, 16)}`);

/** What it cosigned last of a log: the text of a checkpoint. */
const seen = (origin: string): Tree | null => {
  if (!existsSync(seenFile(origin))) return null;
  const [, size, root = ''] = readFileSync(seenFile(origin), 'utf8').split('\n');
  return { size: Number(size), root: Buffer.from(root, 'base64') };
};

// --- What it is asked ---

const parseNote = (written: string): Note | null => {
  const end = written.lastIndexOf('\n\n');
  if (end < 0 || !written.endsWith('\n')) return null;
  const lines = written
    .slice(end + 2, -1)
    .split('\n')
    .map((each) => /^— (\S+) (\S+)$/.exec(each));
  const signatures = lines.flatMap((match) => {
    const bytes = Buffer.from(match?.[2] ?? '', 'base64');
    return match?.[1] === undefined ? [] : [{ name: match[1], keyId: bytes.subarray(0, 4), bytes: bytes.subarray(4) }];
  });
  return signatures.length === lines.length ? { text: written.slice(0, end + 1), signatures } : null;
};

const isSignedBy = (key: Buffer, origin: string, { text, signatures }: Note): boolean => {
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' });
  const id = keyIdOf(origin, OF_LOGS, key);
  return signatures.some(
    (one) => one.name === origin && one.keyId.equals(id) && verify(null, Buffer.from(text), publicKey, one.bytes),
  );
};

const cosigned = (text: string): string => {
  const seconds = BigInt(Math.floor(Date.now() / 1_000));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(seconds);
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), signingKey);
  return `— ${name} ${Buffer.concat([ownId, time, signature]).toString('base64')}\n`;
};

/** Nothing is awaited here, so no other question comes between what is seen and what is kept. */
const addCheckpoint = (body: string): Answer => {
  const split = body.indexOf('\n\n');
  const [first = '', ...hashes] = body.slice(0, split).split('\n');
  const note = split < 0 ? null : parseNote(body.slice(split + 2));
  const [, digits] = /^old (0|[1-9]\d*)$/.exec(first) ?? [];
  const [, origin = '', sized, root = ''] =
    /^([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n/.exec(note?.text ?? '') ?? [];
  const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
  const offered: Tree = { size: Number(sized), root: Buffer.from(root, 'base64') };
  const old = Number(digits);
  const isReadable = digits !== undefined && sized !== undefined && Number.isSafeInteger(offered.size);
  if (note === null || !isReadable || proof.length > 63 || proof.some(({ length }) => length !== 32)) {
    return { status: 400, body: 'it is no checkpoint with its proof\n' };
  }
  const keys = keysOf(origin);
  if (keys.length === 0) return { status: 404, body: 'this log is not known here\n' };
  if (!keys.some((key) => isSignedBy(key, origin, note))) return { status: 403, body: 'no known key has signed it\n' };
  if (old > offered.size) return { status: 400, body: 'the old size is beyond the checkpoint\n' };
  const before = seen(origin);
  const isSame = before?.size === offered.size && before.root.equals(offered.root);
  if (old !== (before?.size ?? 0) || (before?.size === offered.size && !isSame)) {
    return { status: 409, body: `${before?.size ?? 0}\n` };
  }
  const needsProof = old > 0 && !isSame;
  if (needsProof ? before === null || !isBeginning(before, offered, proof) : proof.length > 0) {
    return { status: 422, body: `it does not begin with the ${old} leaves that were seen\n` };
  }
  keep(seenFile(origin), note.text);
  return { status: 200, body: cosigned(note.text) };
};

const server = createServer((request, response) => {
  const answer = ({ status, body }: Answer): void => {
    console.log(
      JSON.stringify({ at: new Date().toISOString(), status, ...(status === 200 ? {} : { why: body.trim() }) }),
    );
    response.writeHead(status, { 'Content-Type': status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8' });
    response.end(body);
  };
  if (request.method !== 'POST' || request.url !== '/add-checkpoint') {
    answer({ status: 404, body: 'POST /add-checkpoint\n' });
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    try {
      answer(length > MOST_BYTES ? { status: 413, body: '' } : addCheckpoint(Buffer.concat(chunks).toString()));
    } catch (error) {
      // What can't be kept is not cosigned.
      answer({ status: 500, body: `${String(error)}\n` });
    }
  });
});
server.listen(Number(port), host, () => {
  const address = server.address();
  const on = typeof address === 'object' && address !== null ? address.port : port;
  console.log(JSON.stringify({ msg: 'listening', url: `http://${host}:${on}`, line }));
});
