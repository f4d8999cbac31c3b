import { expect } from 'chai';
import { documentedRouter } from '../../src/http/documented-router.ts';
import { acceptedType, prefersGzip } from '../../src/http/accept-headers.ts';
import { exchange } from '../support/exchange.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { serveRouters } from '../support/serve-api.ts';

const ROUTE = {
  operation: {
    id: 'a',
    method: 'get',
    path: '/a',
    tag: 'Operating',
    summary: '',
    scopes: [],
    parameters: [],
    answers: [],
    problems: [],
  },
} as const;

describe('what a caller takes', () => {
  it('is read of headers that are no longer than browsers send, and longer ones are taken for none', async () => {
    const route = documentedRouter([
      {
        ...ROUTE,
        handle: (ctx) => {
          ctx.body = `${acceptedType(ctx, ['text/plain', 'text/html'])} ${prefersGzip(ctx)}`;
        },
      },
    ]);
    const { url, close } = await serveRouters([route], routeDependencies());
    const asked = async (accept: string, encoding: string): Promise<string> =>
      (await exchange(url, { path: '/a', headers: { Accept: accept, 'Accept-Encoding': encoding } })).text;
    const padded = (text: string, length: number): string => `${text},${'a'.repeat(length - text.length - 1)}`;
    try {
      expect(await asked('text/html', 'gzip, br')).to.equal('text/html true');
      expect(await asked(padded('text/html', 1_024), padded('gzip', 1_024))).to.equal('text/html true');
      expect(await asked(padded('text/html', 1_025), padded('gzip', 1_025))).to.equal('text/plain false');
    } finally {
      await close();
    }
  });
});
