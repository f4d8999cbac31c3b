import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { publicFileAnswers, publicFiles } from '../../src/api/public-file.ts';
import type { ApiMiddleware } from '../../src/http/api-context.ts';
import { documentedRouter, type DocumentedRoute } from '../../src/http/documented-router.ts';
import { exchange, type Answer } from '../support/exchange.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { serveApi, serveRouters, type ServedApi } from '../support/serve-api.ts';

const FILES = ['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'];
const AT_ONCE = 16;

describe('a file that anybody may have', () => {
  let api: ServedApi;
  before(async () => {
    api = await serveApi();
  });
  after(() => api.close());

  const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    exchange(api.url, { path, headers });

  for (const path of FILES) {
    it(`is not sent again to who has it: ${path}`, async () => {
      const first = await ask(path);
      const etag = String(first.headers.etag);
      const again = await ask(path, { 'If-None-Match': etag });
      expect([again.status, again.text, again.headers.etag]).to.deep.equal([304, '', etag]);
      const other = await ask(path, { 'If-None-Match': 'W/"another"' });
      expect([other.status, other.bytes.equals(first.bytes)]).to.deep.equal([200, true]);
    });

    it(`is the same compressed, for who takes that: ${path}`, async () => {
      const plain = await ask(path, { 'Accept-Encoding': 'identity' });
      const compressed = await ask(path, { 'Accept-Encoding': 'gzip, br' });
      expect(plain.headers).not.to.have.property('content-encoding');
      expect(compressed.headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(compressed.headers['content-type']).to.equal(plain.headers['content-type']);
      expect(gunzipSync(compressed.bytes).equals(plain.bytes)).to.equal(true);
    });
  }

  it('is sent as it is to who says more of encodings than is read: reading takes as long as it is', async () => {
    const long = await ask('/openapi.json', { 'Accept-Encoding': 'gzip,'.repeat(300) });
    expect(long.status).to.equal(200);
    expect(long.headers).not.to.have.property('content-encoding');
  });

  it('has another name with another content', async () => {
    const names = await Promise.all(FILES.map(async (path) => (await ask(path)).headers.etag));
    expect(new Set(names).size).to.equal(FILES.length);
  });
});

const routeOf = (path: string, handle: ApiMiddleware): DocumentedRoute => ({
  operation: {
    id: path,
    method: 'get',
    path,
    tag: 'Operating',
    summary: '',
    scopes: [],
    parameters: [],
    answers: publicFileAnswers('', []),
    problems: [],
  },
  handle,
});

describe('files that anybody may have', () => {
  it('are sent one in each turn of the loop, so that deliveries have theirs in between', async () => {
    const files = publicFiles();
    const turns = loopTurns();
    const sentIn: number[] = [];
    const routes = ['/a', '/b'].map((path) => {
      const send = files({ type: 'text/plain', bytes: () => Buffer.from(path) });
      return routeOf(path, async (ctx, next) => {
        await send(ctx, next);
        sentIn.push(turns.now());
      });
    });
    const { url, close } = await serveRouters([documentedRouter(routes)], routeDependencies());
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => exchange(url, { path: i % 2 === 0 ? '/a' : '/b' })));
    } finally {
      turns.stop();
      await close();
    }
    expect([sentIn.length, new Set(sentIn).size]).to.deep.equal([AT_ONCE, AT_ONCE]);
  });

  it('are read once, and again where that failed', async () => {
    let reads = 0;
    const bytes = (): Promise<Buffer> => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error('too many open files')) : Promise.resolve(Buffer.from('read'));
    };
    const route = routeOf('/a', publicFiles()({ type: 'text/plain', bytes }));
    const { url, close } = await serveRouters([documentedRouter([route])], routeDependencies());
    try {
      const answers: unknown[] = [];
      for (let i = 0; i < 3; i += 1) {
        const { status, text } = await exchange(url, { path: '/a' });
        answers.push(status === 200 ? text : status);
      }
      expect([answers, reads]).to.deep.equal([[500, 'read', 'read'], 2]);
    } finally {
      await close();
    }
  });
});
