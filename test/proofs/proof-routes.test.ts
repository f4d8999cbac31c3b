import { expect } from 'chai';
import * as t from 'io-ts';
import { isConsistent, isIncluded } from '../../src/proofs/check-proof.ts';
import { parseCheckpoint, type Checkpoint } from '../../src/proofs/checkpoint.ts';
import { EMPTY_ROOT, leafHash, rootHash, type Hash } from '../../src/proofs/merkle-tree.ts';
import { checkNote, parseNote, parseVerifierLine } from '../../src/proofs/signed-note.ts';
import { hashesOfLevel, nodesInTiles } from '../../src/proofs/tile.ts';
import { ConsistencyResource, InclusionResource } from '../../src/queries/proofs/proof-resources.ts';
import { bodyOf, newOrderId, onRamp, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';

const KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
-----END PRIVATE KEY-----`;
const ORIGIN = 'log.example/test';

const Recorded = t.type({ eventId: t.string, orderId: t.string, revision: t.number });

const SIGNED_WITHIN_MS = 20_000;

describe('the proofs of a ledger', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ env: { LEDGER_ORIGIN: ORIGIN, LEDGER_SIGNING_KEY: KEY } });
  });
  after(() => ledger.close());

  const BEARER = { Authorization: `Bearer ${API_KEY}` };

  const get = (path: string, headers: Record<string, string> = BEARER): Promise<Response> =>
    fetch(`${ledger.url}${path}`, { headers });

  /** Asks again where nothing was signed yet, as whoever is answered so is told to. */
  const textOf = (path: string, headers?: Record<string, string>): Promise<string> =>
    until(SIGNED_WITHIN_MS, 'a checkpoint', async () => {
      const answer = await get(path, headers);
      const text = await answer.text();
      if (answer.status === 503 && text.includes('no checkpoint includes this yet')) return null;
      expect(answer.status, text).to.equal(200);
      return text;
    });

  const jsonOf = async (path: string): Promise<unknown> => JSON.parse(await textOf(path));

  const codeOf = async (path: string, headers?: Record<string, string>): Promise<string> => {
    const answer = await get(path, headers);
    const body: unknown = await answer.json();
    return `${answer.status} ${typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''}`;
  };

  const deliver = async (): Promise<t.TypeOf<typeof Recorded>> => {
    const body = bodyOf(onRamp({ orderId: newOrderId() }));
    const answer = await fetch(`${ledger.url}/v1/webhooks`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
    });
    return right(Recorded.decode(await answer.json()));
  };

  /** A note as somebody reads it who was given the key's line once, and trusts nothing else. */
  const read = async (note: string): Promise<Checkpoint> => {
    const verifier = parseVerifierLine((await textOf('/v1/log/key', {})).trimEnd()) ?? expect.fail('no key');
    expect(verifier.name).to.equal(ORIGIN);
    const text = right(checkNote(parseNote(note) ?? expect.fail('no note'), verifier));
    return parseCheckpoint(text) ?? expect.fail('no checkpoint');
  };

  const hashesOf = (base64: readonly string[]): readonly Hash[] => base64.map((hash) => Buffer.from(hash, 'base64'));

  it('sign what was acknowledged, and prove each event of it by its id or its place', async () => {
    const delivered = [await deliver(), await deliver(), await deliver()];
    const checkpoint = await read(await textOf('/v1/log/checkpoint'));
    expect(checkpoint.size).to.equal(await ledger.eventCount());
    for (const { eventId, orderId, revision } of delivered) {
      const named = [
        `eventId=${eventId}`,
        `orderId=${orderId}&revision=${revision}`,
        `eventId=${eventId}&size=${checkpoint.size}`,
      ];
      for (const query of named) {
        const proof = right(InclusionResource.decode(await jsonOf(`/v1/proofs/inclusion?${query}`)));
        const tree = await read(proof.checkpoint);
        expect([tree.size, tree.root.toString('base64')]).to.deep.equal([proof.treeSize, proof.rootHash]);
        expect(isIncluded(leafHash(Buffer.from(proof.leaf)), proof.leafIndex, tree, hashesOf(proof.hashes))).to.equal(
          true,
        );
        expect(JSON.parse(proof.leaf)).to.include({
          eventId,
          revision,
          stream: `order-${orderId}`,
          type: 'OnRampFiatPending',
        });
        expect(Object.keys(right(t.UnknownRecord.decode(JSON.parse(proof.leaf))))).to.deep.equal([
          'eventId',
          'recordSha256',
          'revision',
          'stream',
          'type',
        ]);
      }
    }
  });

  it('show that each size is the beginning of each later one', async () => {
    await deliver();
    const { size } = await read(await textOf('/v1/log/checkpoint'));
    for (let to = 0; to <= size; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        const proof = right(ConsistencyResource.decode(await jsonOf(`/v1/proofs/consistency?from=${from}&to=${to}`)));
        const [fromRoot, toRoot] = hashesOf([proof.fromRoot, proof.toRoot]);
        const smaller = { size: from, root: fromRoot ?? EMPTY_ROOT };
        expect(isConsistent(smaller, { size: to, root: toRoot ?? EMPTY_ROOT }, hashesOf(proof.hashes))).to.equal(true);
      }
    }
  });

  it('serve the tree as tiles, with the key as a password too, so that anybody can mirror it', async () => {
    for (let i = 0; i < 300; i += 30) await Promise.all(Array.from({ length: 30 }, deliver));
    const basic = { Authorization: `Basic ${Buffer.from(`mirror:${API_KEY}`).toString('base64')}` };
    const { size, root } = await read(await textOf('/v1/log/checkpoint', basic));
    expect(size).to.be.greaterThan(300);
    const bytesOf = async (path: string): Promise<Buffer> => {
      const answer = await get(path, basic);
      expect([path, answer.status, answer.headers.get('content-type')]).to.deep.equal([
        path,
        200,
        'application/octet-stream',
      ]);
      return Buffer.from(await answer.arrayBuffer());
    };
    const width = size - 256;
    const level0 = Buffer.concat([await bytesOf('/v1/log/tile/0/000'), await bytesOf(`/v1/log/tile/0/001.p/${width}`)]);
    const level1 = await bytesOf(`/v1/log/tile/1/000.p/${hashesOfLevel(size, 1)}`);
    const levels = [level0, level1];
    const mirrored = nodesInTiles((level, index, count) =>
      (levels[level] ?? Buffer.alloc(0)).subarray(32 * index, 32 * (index + count)),
    );
    expect(rootHash(mirrored, size).equals(root)).to.equal(true);
    const entries = Buffer.concat([
      await bytesOf('/v1/log/tile/entries/000'),
      await bytesOf(`/v1/log/tile/entries/001.p/${width}`),
    ]);
    let at = 0;
    for (let i = 0; i < size; i += 1) {
      const length = entries.readUInt16BE(at);
      const leaf = entries.subarray(at + 2, at + 2 + length);
      expect(leafHash(leaf).equals(level0.subarray(32 * i, 32 * (i + 1)))).to.equal(true);
      at += 2 + length;
    }
    expect(at).to.equal(entries.length);
    for (const path of [
      '0/001',
      `0/001.p/${width + 40}`,
      '0/002.p/1',
      '1/000',
      '2/000.p/1',
      '0/1',
      '64/000',
      'x/000',
      'entries/001',
      '0/../000',
    ]) {
      expect(await codeOf(`/v1/log/tile/${path}`), path).to.match(/^404 not-found/);
    }
  });

  it('let full tiles be kept, and pack entries for who takes that', async () => {
    const { size } = await read(await textOf('/v1/log/checkpoint'));
    expect(size).to.be.within(257, 511);
    const headersOf = async (path: string, coding: string): Promise<readonly (string | null)[]> => {
      const answer = await get(`/v1/log/tile/${path}`, { ...BEARER, 'Accept-Encoding': coding });
      expect(answer.status, path).to.equal(200);
      await answer.arrayBuffer();
      return ['cache-control', 'content-encoding', 'vary'].map((name) => answer.headers.get(name));
    };
    const [kept, not, vary] = ['private, max-age=31536000, immutable', 'private, no-store', 'Accept-Encoding'];
    expect(await headersOf('0/000', 'gzip')).to.deep.equal([kept, null, null]);
    expect(await headersOf('1/000.p/1', 'gzip')).to.deep.equal([not, null, null]);
    expect(await headersOf('entries/001.p/1', 'gzip, deflate')).to.deep.equal([not, 'gzip', vary]);
    expect(await headersOf('entries/000', 'gzip')).to.deep.equal([kept, 'gzip', vary]);
    for (const other of ['identity', 'gzip;q=0', 'br', 'gzip;q=0.2, identity;q=0.9']) {
      expect(await headersOf('entries/000', other), other).to.deep.equal([kept, null, vary]);
    }
    expect((await get('/v1/log/checkpoint')).headers.get('cache-control')).to.equal(not);
    const refused = await get('/v1/log/tile/0/001', BEARER);
    expect([refused.status, refused.headers.get('cache-control')]).to.deep.equal([404, not]);
  });

  it('are carried by the close of a month, as a checkpoint of all that it closes', async () => {
    await deliver();
    const size = await ledger.eventCount();
    const closed = await fetch(`${ledger.url}/v1/periods/2023-03/close`, {
      method: 'POST',
      headers: { ...BEARER, 'Content-Type': 'application/json' },
      body: JSON.stringify({ note: 'closed', despite: ['clock-anomalies'] }),
    });
    const { checkpoint } = right(t.type({ checkpoint: t.string }).decode(await closed.json()));
    expect((await read(checkpoint)).size).to.equal(size);
  });

  it('refuse what is ill-formed or unknown, and tell nothing to whoever may not ask', async () => {
    const { orderId } = await deliver();
    const unknown = '00000000-0000-5000-8000-000000000000';
    for (const [path, code] of [
      ['/v1/proofs/inclusion', '400 invalid-parameter'],
      [`/v1/proofs/inclusion?orderId=${orderId}`, '400 invalid-parameter'],
      [`/v1/proofs/inclusion?eventId=${unknown}&revision=0`, '400 invalid-parameter'],
      [`/v1/proofs/inclusion?orderId=${orderId}&revision=0&size=999999`, '400 invalid-parameter'],
      [`/v1/proofs/inclusion?eventId=x`, '400 invalid-parameter'],
      [`/v1/proofs/inclusion?eventId=${unknown}`, '404 not-found'],
      [`/v1/proofs/inclusion?orderId=${orderId}&revision=7`, '404 not-found'],
      [`/v1/proofs/inclusion?orderId=${orderId}&revision=0&size=1`, '404 not-found'],
      ['/v1/proofs/consistency?from=0', '400 invalid-parameter'],
      ['/v1/proofs/consistency?from=2&to=1', '400 invalid-parameter'],
      ['/v1/proofs/consistency?from=1&to=999999', '400 invalid-parameter'],
    ] as const) {
      expect(await codeOf(path), path).to.equal(code);
    }
    const wrong = { Authorization: `Basic ${Buffer.from('mirror:no key').toString('base64')}` };
    for (const path of ['/v1/log/checkpoint', '/v1/log/tile/0/000', '/v1/proofs/inclusion', '/v1/proofs/consistency']) {
      expect(await codeOf(path, {}), path).to.equal('401 unauthorized');
      expect(await codeOf(path, wrong), path).to.equal('401 unauthorized');
      // What knows no bearer sends a password once it is asked for one.
      for (const headers of [{}, wrong]) {
        const challenge = (await get(path, headers)).headers.get('www-authenticate');
        expect(challenge).to.match(/^Bearer realm="ramp-ledger".*, Basic realm="ramp-ledger"$/);
      }
    }
    expect((await get('/v1/orders', {})).headers.get('www-authenticate')).to.equal('Bearer realm="ramp-ledger"');
    // Other routes take no password.
    const basic = { Authorization: `Basic ${Buffer.from(`mirror:${API_KEY}`).toString('base64')}` };
    expect(await codeOf('/v1/orders', basic)).to.equal('401 unauthorized');
  });
});
