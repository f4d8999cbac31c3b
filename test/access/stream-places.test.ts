import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { ApiKey } from '../../src/access/api-key.ts';
import { inPlace, streamPlaces } from '../../src/access/stream-places.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { keyOf as apiKey } from '../console/router-scene.ts';
import { API_KEYS, keyText, serveApi, type ServedApi } from '../support/serve-api.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';

const LIVE = '/v1/events/live';
const EXPORT = '/v1/exports/orders?format=csv';
const ORDERS = 'orders:read';
const FILES = 'audit:read+orders:read';
const FULL = 'audit:read+orders:read+pii:read';
const SOON_MS = 5_000;

/** A file without end. */
const endless: ApiDependencies['exporter'] = () => () =>
  Promise.resolve(
    E.right({
      position: null,
      pieces: (async function* () {
        for (;;) {
          yield E.right(Buffer.alloc(64 * 1024, 'x'));
          await new Promise(setImmediate);
        }
      })(),
      manifest: () => null,
      close: () => Promise.resolve(),
    }),
  );

describe('streams of a key', () => {
  let api: ServedApi;
  let keys: readonly ApiKey[];
  let stop: AbortController;
  let readers: Socket[];

  beforeEach(async () => {
    keys = API_KEYS;
    stop = new AbortController();
    readers = [];
    api = await serveApi({ apiKeys: () => keys, streams: streamPlaces(10), exporter: endless });
  });
  afterEach(async () => {
    stop.abort();
    for (const reader of readers) reader.destroy();
    api.tellToStop();
    await api.close();
  });

  const open = (path: string, scopes: string): Promise<Response> => api.ask(path, scopes, { signal: stop.signal });

  /** Asks, and takes no more of the answer than its head. */
  const silentReader = async (path: string, scopes: string): Promise<string> => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    readers.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${keyText(scopes)}\r\n\r\n`,
    );
    const head = await new Promise<Buffer>((resolve) => {
      socket.once('data', resolve);
    });
    socket.pause();
    return head.toString('latin1', 9, 12);
  };

  it('never take the last place of another key', async () => {
    const mine = await Promise.all(Array.from({ length: 80 }, () => open(LIVE, ORDERS)));
    expect(mine.filter(({ status }) => status === 200)).to.have.length(64);
    expect(mine.filter(({ status }) => status === 503)).to.have.length(16);
    for (const others of [FILES, FULL]) expect((await open(LIVE, others)).status, others).to.equal(200);
  });

  it('leave exports to others, whatever readers of their own take', async () => {
    for (let i = 0; i < 4; i += 1) expect(await silentReader(EXPORT, FILES)).to.equal('200');
    expect(await silentReader(EXPORT, FULL)).to.equal('200');
  });

  it('end when it is taken out, another, or without a scope, and no stream of another key does', async () => {
    const others = await open(LIVE, FILES);
    const without = API_KEYS.filter(({ id }) => id !== ORDERS);
    const spoiled = [
      without,
      [...without, apiKey(ORDERS, 'another key of this id', [ORDERS])],
      [...without, { ...apiKey(ORDERS, keyText(ORDERS), []) }],
    ];
    for (const now of spoiled) {
      keys = API_KEYS;
      const mine = await open(LIVE, ORDERS);
      keys = now;
      // An end in order, which is how a list of events may end anywhere.
      expect(await mine.text()).to.match(/^retry: /);
    }
    expect(await Promise.race([others.text(), Promise.resolve('still open')])).to.equal('still open');
    expect(api.logged.map(({ message, fields }) => [message, 'apiKeyId' in fields && fields.apiKeyId])).to.deep.equal(
      spoiled.map(() => ['a stream was cut off', ORDERS]),
    );
  });

  it('are cut off in the middle of a file, so that nobody takes half of it for all', async () => {
    const file = await open(EXPORT, FILES);
    expect(file.status).to.equal(200);
    expect(await silentReader(EXPORT, FILES)).to.equal('200');
    const told = file.text().then(
      () => 'whole',
      () => 'cut off',
    );
    keys = [];
    expect(await told).to.equal('cut off');
    await until(SOON_MS, 'the log of both', () => Promise.resolve(api.logged.length === 2 ? true : null));
    for (const { fields } of api.logged) {
      expect(fields).to.have.property('reason', 'the key or session of its reader is no longer valid');
    }
  });

  it('give their places to the next when they end', async () => {
    const { open: place } = streamPlaces();
    const reader = { keyId: 'a', mayRead: () => true };
    const first = right(await place('live streams', reader)());
    const rest = await Promise.all(Array.from({ length: 63 }, () => place('live streams', reader)()));
    expect((await place('live streams', reader)())._tag).to.equal('Left');
    first.close();
    first.close();
    expect((await place('live streams', reader)())._tag).to.equal('Right');
    expect((await place('live streams', reader)())._tag).to.equal('Left');
    for (const got of rest) right(got).close();
  });

  it('are looked at though all that were open before have ended', async () => {
    const { open: place } = streamPlaces(10);
    right(await place('exports', { keyId: 'a', mayRead: () => true })()).close();
    const { revoked, close } = right(await place('exports', { keyId: 'a', mayRead: () => false })());
    await until(SOON_MS, 'its end', () => Promise.resolve(revoked.aborted ? true : null));
    close();
  });

  it('are left to others by who brings bank files, and nothing of a file is taken before its place is there', async () => {
    const places = streamPlaces();
    const reader = (keyId: string) => ({ keyId, mayRead: () => true });
    const end = Promise.withResolvers<E.Either<never, string>>();
    let begun = 0;
    const work = () => {
      begun += 1;
      return end.promise;
    };
    const mine = Array.from({ length: 6 }, () => inPlace(places, 'bank files', reader('a'), work)());
    const others = inPlace(places, 'bank files', reader('b'), work)();
    end.resolve(E.right('read'));
    const outcomes = (await Promise.all(mine)).map((outcome) => outcome._tag);
    expect(outcomes).to.deep.equal(['Right', 'Right', 'Right', 'Right', 'Left', 'Left']);
    expect(right(await others)).to.equal('read');
    expect(begun).to.equal(5);
    expect(right(await inPlace(places, 'bank files', reader('a'), work)())).to.equal('read');
  });
});
