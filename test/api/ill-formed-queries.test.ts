import { expect } from 'chai';
import { filledParameters } from '../../src/console/filled-parameters.ts';
import { READER } from '../console/readers.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const MANY = `limit=1${'&'.repeat(256)}`;
const ILL = ['%80', 'limit=%8', MANY];

describe('a query that is not well-formed', () => {
  let api: ServedApi;
  before(async () => {
    api = await serveApi();
  });
  after(() => api.close());

  it('is refused by what reads it, behind the key where one is asked for', async () => {
    for (const ill of ILL) {
      for (const [path, scopes] of [
        ['/v1/log/key', null],
        ['/v1/orders', 'orders:read'],
      ] as const) {
        const answer = await api.ask(`${path}?${ill}`, scopes);
        const told: unknown = await answer.json();
        expect([path, answer.status]).to.deep.equal([path, 400]);
        expect(told).to.include({ code: 'invalid-parameter' });
        expect(told)
          .to.have.property('detail')
          .that.includes(ill === MANY ? 'query: expected at most 256' : 'two hex digits');
      }
      expect((await api.ask(`/v1/orders?${ill}`, null)).status).to.equal(401);
      const session = { key: READER, nonce: '', expiresAt: 0 };
      expect(filledParameters({ querystring: ill, session }, {})).to.have.nested.property('left.fault.expected');
    }
  });

  it('names the parameter that is ill-formed, where its name can be read', async () => {
    const named = async (ill: string): Promise<unknown> => (await api.ask(`/v1/orders?${ill}`, 'orders:read')).json();
    expect(await named('q=%C3%A4&status=%E4&x=%zz'))
      .to.have.property('detail')
      .that.includes('status: ');
    expect(await named('limit%20x=%E4'))
      .to.have.property('detail')
      .that.includes('limit x: ');
    for (const ill of ['%E4=q', '=%E4'])
      expect(await named(ill))
        .to.have.property('detail')
        .that.includes('query: ');
  });

  it('is nothing to what reads none: a probe is answered', async () => {
    for (const ill of ILL) expect((await api.ask(`/livez?${ill}`, null)).status).to.equal(200);
  });
});
