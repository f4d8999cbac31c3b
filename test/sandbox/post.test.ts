import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createPost, type Post } from '../../src/sandbox/post.ts';

const SIGNED = { body: Buffer.from('{"orderId":"ord-1","currency":"€"}'), signature: 'ab'.repeat(32) };

type Received = { readonly request: IncomingMessage; readonly body: Buffer };

describe("the sandbox's requests to the callback URL", () => {
  let answer: (response: ServerResponse) => void;
  let received: Received[];
  let url: URL;
  let post: Post;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(parts) });
      answer(response);
    });
  });

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = new URL(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hooks?a=1`);
  });
  beforeEach(() => {
    received = [];
    post = createPost(url, 4, () => performance.now());
  });
  afterEach(() => post.close());
  after(() => server.close());

  it('are POSTs with the three headers of the interface and exactly the bytes that were signed', async () => {
    answer = (response) => void response.end('{"outcome":"recorded"}');
    expect(await post.post(SIGNED)).to.deep.include({ status: 200, body: '{"outcome":"recorded"}' });
    const [{ request, body } = expect.fail('nothing came')] = received;
    expect(request.method).to.equal('POST');
    expect(request.url).to.equal('/hooks?a=1');
    expect(request.headers).to.include({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-service-signature': SIGNED.signature,
    });
    expect(body.equals(SIGNED.body)).to.equal(true);
  });

  it('follow no redirect', async () => {
    answer = (response) => void response.writeHead(307, { Location: url.href }).end();
    expect(await post.post(SIGNED)).to.include({ status: 307 });
    expect(received).to.have.length(1);
  });

  it('say why there was no answer, and are cut off at the end', async () => {
    answer = (response) => response.destroy();
    expect(await post.post(SIGNED))
      .to.have.property('error')
      .that.matches(/\S/);
    answer = () => post.close();
    expect(await post.post(SIGNED)).to.include({ error: 'the sandbox ends' });
  });
});
