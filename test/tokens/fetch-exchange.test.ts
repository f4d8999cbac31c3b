import { constants, brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { ExchangeError, UpstreamAnswer } from '../../src/tokens/exchange.ts';
import { fetchExchange } from '../../src/tokens/fetch-exchange.ts';
import { right } from '../support/right.ts';
import { scriptedUpstream, type Reply, type ScriptedUpstream } from '../support/scripted-upstream.ts';

const LIMIT = 1_048_576;
const SECRET = 'secret-in-header-path-and-body';

describe('an exchange over HTTP', () => {
  let server: ScriptedUpstream;
  let reply: Reply = {};
  before(async () => {
    server = await scriptedUpstream(() => reply);
  });
  after(() => server.close());

  const ask = (
    answered: Reply,
    signal = AbortSignal.timeout(5_000),
    url = `${server.url}/v1/x?q=${SECRET}`,
  ): Promise<E.Either<ExchangeError, UpstreamAnswer>> => {
    reply = answered;
    const request = { method: 'POST', headers: { authorization: `Bearer ${SECRET}` }, body: SECRET } as const;
    return fetchExchange({ ...request, url: new URL(url) }, signal)();
  };

  const failure = async (...asked: Parameters<typeof ask>): Promise<ExchangeError> => {
    const answer = await ask(...asked);
    if (E.isRight(answer)) return expect.fail(`answered ${answer.right.status}`);
    expect(JSON.stringify(answer.left)).to.not.include(SECRET).and.not.include(server.url);
    return answer.left;
  };

  it('hands on status, body and Retry-After of any answer', async () => {
    for (const status of [200, 201, 204, 400, 401, 404, 429, 500, 503]) {
      const body = status === 204 ? '' : '{"a": 1}\n';
      const answer = right(await ask({ status, body, headers: { 'retry-after': '7' } }));
      expect(answer).to.deep.equal({ status, body: Buffer.from(body), retryAfter: '7' });
    }
    expect(server.asked.at(-1)).to.deep.include({ method: 'POST', path: `/v1/x?q=${SECRET}`, body: SECRET });
  });

  it('follows no redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const before = server.asked.length;
      const answer = right(await ask({ status, headers: { location: `${server.url}/elsewhere` }, body: 'there' }));
      expect([answer.status, answer.body.toString()]).to.deep.equal([status, 'there']);
      expect(server.asked.length).to.equal(before + 1);
    }
  });

  const packings = [
    ['identity', (bytes: Buffer) => bytes],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ] as const;
  for (const [coding, pack] of packings) {
    it(`takes 1 MiB after unpacking and not a byte more, however small it came: ${coding}`, async () => {
      const headers = { 'content-encoding': coding };
      const largest = right(await ask({ headers, body: pack(Buffer.alloc(LIMIT, 'x')) }));
      expect(largest.body.length).to.equal(LIMIT);
      const tooLarge = await failure({ headers, body: pack(Buffer.alloc(LIMIT + 1, 'x')) });
      expect(tooLarge).to.deep.equal({ _tag: 'AnswerTooLarge' });
    });
  }

  it('holds no more than its limit of a body that unpacks to half a gigabyte', async () => {
    const member = gzipSync(Buffer.alloc(268_435_456), { level: 1 });
    const bomb = Buffer.concat([member, member]).subarray(0, LIMIT);
    const before = process.memoryUsage().rss;
    const answer = await failure({ headers: { 'content-encoding': 'gzip' }, body: bomb });
    expect(answer).to.deep.equal({ _tag: 'AnswerTooLarge' });
    expect(process.memoryUsage().rss - before).to.be.lessThan(64 * LIMIT);
  });

  it('says what came of an answer that is packed otherwise, wrongly, or not to its end', async () => {
    for (const coding of ['zstd', 'gzip, gzip', 'constructor']) {
      const answer = await failure({ headers: { 'content-encoding': coding }, body: 'x' });
      expect(answer, coding).to.deep.equal({ _tag: 'AnswerGarbled', detail: 'UNKNOWN_CODING' });
    }
    for (const [coding, pack] of packings.slice(1)) {
      const headers = { 'content-encoding': coding };
      const whole = pack(Buffer.from('all of it '.repeat(200)));
      expect((await failure({ headers, body: whole.subarray(0, whole.length - 6) }))._tag, coding).to.equal(
        'AnswerGarbled',
      );
      expect((await failure({ headers, body: 'this is not packed' }))._tag, coding).to.equal('AnswerGarbled');
      expect(
        right(await ask({ headers: { 'content-encoding': coding.toUpperCase() }, body: whole })).body,
      ).to.have.length(2_000);
      expect(right(await ask({ headers, body: '' })).body).to.have.length(0);
    }
    const bare = right(await ask({ headers: { 'content-encoding': 'deflate' }, body: deflateRawSync('bare') }));
    expect(bare.body.toString()).to.equal('bare');
  });

  it('says when the connection fails, before and within the answer', async () => {
    expect(await failure('drop')).to.deep.equal({ _tag: 'Unreachable', detail: 'ECONNRESET' });
    expect((await failure('broken'))._tag).to.equal('Unreachable');
    const refused = await failure({}, undefined, 'http://127.0.0.1:1/');
    expect(refused).to.deep.equal({ _tag: 'Unreachable', detail: 'ECONNREFUSED' });
  });

  it('ends with its signal', async () => {
    expect(await failure('silence', AbortSignal.timeout(50))).to.deep.equal({ _tag: 'TimedOut' });
    expect(await failure({}, AbortSignal.abort())).to.deep.equal({ _tag: 'TimedOut' });
  });
});
