import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { publicFileAnswers, publicFiles } from '../../src/api/public-file.ts';
import { documentedRouter } from '../../src/http/documented-router.ts';
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

  it('has another name with another content', async () => {
    const names = await Promise.all(FILES.map(async (path) => (await ask(path)).headers.etag));
    expect(new Set(names).size).to.equal(FILES.length);
  });
});

describe('files that anybody may have', () => {
  it('are sent one in each turn of the loop, so that deliveries have theirs in between', async () => {
    const files = publicFiles();
    const turns = loopTurns();
    const sentIn: number[] = [];
    const routes = ['/a', '/b'].map((path) => {
      const send = files({ type: 'text/plain', bytes: () => Buffer.from(path) });
      return {
        operation: {
          id: path,
          method: 'get' as const,
          path,
          tag: 'Operating' as const,
          summary: '',
          scopes: [],
          parameters: [],
          answers: publicFileAnswers('', []),
          problems: [],
        },
        handle: async (...[ctx, next]: Parameters<typeof send>) => {
          await send(ctx, next);
          sentIn.push(turns.now());
        },
      };
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
});
