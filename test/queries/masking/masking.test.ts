import { mock } from 'node:test';
import { expect } from 'chai';
import { masked, maskedPlainTexts } from '../../../src/queries/masking/masking.ts';
import { ExactNumber, type JsonObject } from '../../../src/domain/json.ts';

describe('masked', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'all of customer but id and created_at',
      {
        customer: {
          id: 'c1',
          created_at: '2022-11-28T12:45:17.000Z',
          email: 'asha@example.com',
          name: 'Asha',
          phone: { number: '987', countrycode: '' },
          age: 41,
          kyc: ['PAN', { city: 'Pune', ok: true }],
          walletAddress: '0x1',
          note: null,
        },
      },
      {
        customer: {
          id: 'c1',
          created_at: '2022-11-28T12:45:17.000Z',
          email: 'a***@example.com',
          name: '***',
          phone: { number: '***', countrycode: '' },
          age: '***',
          kyc: ['***', { city: '***', ok: true }],
          walletAddress: '***',
          note: null,
        },
      },
    ],
    [
      'what is personal in a text that is JSON, at any depth, and nothing else of it',
      {
        metaData: {
          user: '{"phone":9876543210,"ref":"R-1","in":"{\\"holderName\\":\\"Asha\\"}","by":"asha@example.com"}',
          plain: ' {"ref": "R-1", "rate": 1.10}',
          paid: '{"phone":"987","amount":12345678901234567890,"fee":1.50,"pan":4.20}',
          broken: '{"phone":"987',
        },
      },
      {
        metaData: {
          user: '{"phone":"***","ref":"R-1","in":"{\\"holderName\\":\\"***\\"}","by":"a***@example.com"}',
          plain: ' {"ref": "R-1", "rate": 1.10}',
          paid: '{"phone":"***","amount":12345678901234567890,"fee":1.50,"pan":"***"}',
          broken: '***',
        },
      },
    ],
    [
      'all of a text that is several JSON documents, or nearly one, where a member of it is personal',
      {
        metaData: {
          lines: '{"ref":1}\n{"name":"Asha Rao"}',
          beside: '{"ref":1},{"name" : "Asha Rao"}',
          comma: '{"name":"Asha Rao",}',
          behind: 'sent {"n\\u0061me":"Asha Rao"}',
          cut: 'payer":{"accountHolder":"Asha Rao"',
          printed: "{'holder': 'Asha Rao'}",
          quoted: '{\\"phone\\":\\"987\\"}',
          others: '{"ref":1}\n{"amount":"2"}',
          time: 'at 12:30, "name" is no key',
        },
      },
      {
        metaData: {
          lines: '***',
          beside: '***',
          comma: '***',
          behind: '***',
          cut: '***',
          printed: '***',
          quoted: '***',
          others: '{"ref":1}\n{"amount":"2"}',
          time: 'at 12:30, "name" is no key',
        },
      },
    ],
    [
      'what a member of a JSON text hides that comes again, whatever stands around it or holds it',
      {
        metaData: {
          again: '{"phone":"987","phone":"","by":"asha@example.com","by":1}',
          marked: '\uFEFF{"phone":"987"}',
          inText: '"{\\"phone\\":\\"987\\"}"',
          walletInfo: '{"phone":"987","wallet":"0x1"}',
          quoted: '"R-1"',
          same: '{"phone":"","phone":""}',
        },
      },
      {
        metaData: {
          again: '{"phone":"","by":1}',
          marked: '{"phone":"***"}',
          inText: '"{\\"phone\\":\\"***\\"}"',
          walletInfo: '{"phone":"***","wallet":"0x1"}',
          quoted: '"R-1"',
          same: '{"phone":"","phone":""}',
        },
      },
    ],
    ['an address in customer.id', { customer: { id: 'asha@example.com' } }, { customer: { id: 'a***@example.com' } }],
    [
      'addresses anywhere',
      { source: 'by asha@example.com', list: [['x@example.com']] },
      { source: 'by a***@example.com', list: [['x***@example.com']] },
    ],
    [
      'addresses in keys, each apart',
      { metaData: { 'ab@example.com': 1, 'ac@example.com': 2 } },
      { metaData: { 'a***@example.com': 1, 'a***@example.com (2)': 2 } },
    ],
    [
      'numbers under personal keys',
      { metaData: { accountNumber: 123, card: new ExactNumber('4111111111111111222') } },
      { metaData: { accountNumber: '***', card: '***' } },
    ],
    [
      'keys under personal keys that are no names of fields',
      { accounts: { '123456789': { open: true, city: 'Pune' } } },
      { accounts: { '***': { open: true, city: '***' } } },
    ],
    [
      'an address under a personal key',
      { metaData: { accountMail: 'asha@example.com', name: 'Asha <asha@example.com>' } },
      { metaData: { accountMail: 'a***@example.com', name: '***' } },
    ],
    [
      'a payment address',
      { metaData: { vpa: 'asha@okbank', payer: 'asha@okbank' } },
      { metaData: { vpa: '***', payer: 'a***@okbank' } },
    ],
    [
      'an address under a key that is both',
      { metaData: { walletEmail: 'asha@example.com' } },
      { metaData: { walletEmail: 'a***@example.com' } },
    ],
    [
      'a wallet that is an address, never',
      { walletAddress: 'asha@ln.example.com' },
      { walletAddress: 'asha@ln.example.com' },
    ],
    [
      'an address under an address that reads like a utr',
      { 'utr.a@example.com': ['to utr.a@example.com'] },
      { 'u***@example.com': ['to u***@example.com'] },
    ],
    [
      'what is said about a wallet, a utr or a hash, but them',
      {
        utr: 'UTR of asha@example.com',
        walletAddress: 'w asha@example.com',
        metaData: {
          walletNote: 'ask asha@example.com',
          hashtag: 'asha@example.com',
          utrComment: 'asha@example.com told us',
          wallet: 'wallet of asha@example.com',
          accounts: { DE89370400440532013000: true, ABCDE1234F: { ok: true }, number: 'x', address2: 'x' },
          emaıl: 'Asha',
          deep: `${'['.repeat(70)}{"name":"Asha"}${']'.repeat(70)}`,
          contact: { walletInfo: 'Asha Rao', hashim: '9876543210', wallet: 'Asha Rao 987', utr: 'Asha' },
          account: { hashed: 'DE89370400440532013000' },
        },
      },
      {
        utr: 'UTR of asha@example.com',
        walletAddress: 'w asha@example.com',
        metaData: {
          walletNote: 'ask a***@example.com',
          hashtag: 'a***@example.com',
          utrComment: 'a***@example.com told us',
          wallet: 'wallet of a***@example.com',
          accounts: { '***': true, '*** (2)': { ok: true }, number: '***', address2: '***' },
          emaıl: '***',
          deep: '***',
          contact: { walletInfo: '***', hashim: '***', wallet: '***', utr: '***' },
          account: { hashed: '***' },
        },
      },
    ],
    [
      'a utr and a hash inside an account',
      { bankAccount: { utr: 'U1', txnHash: '0x2', holder: 'Asha' } },
      { bankAccount: { utr: 'U1', txnHash: '0x2', holder: '***' } },
    ],
    ['a customer that is a text', { customer: 'Asha Rao' }, { customer: '***' }],
    [
      'customers in a list, their ids with them',
      { customer: [{ id: 'c1', age: 41 }] },
      { customer: [{ id: '***', age: '***' }] },
    ],
    [
      'addresses, but no numbers, under a key of a match where people are spoken of',
      { contact: { utr: 'asha1@example.com', utrNumber: 412_345_678_901, note: 412_345_678_901 } },
      { contact: { utr: 'a***@example.com', utrNumber: 412_345_678_901, note: '***' } },
    ],
    [
      'addresses under an address that ends like a key of a match',
      { metaData: { 'asha@example.utr': 'rao@example.com' } },
      { metaData: { 'a***@example.utr': 'r***@example.com' } },
    ],
    [
      'nothing else',
      { buyTokenSymbol: 'MATIC', fiat: 100, metaData: { orderRef: 'R-1', flag: false, none: null, ifNot: 'x' } },
      { buyTokenSymbol: 'MATIC', fiat: 100, metaData: { orderRef: 'R-1', flag: false, none: null, ifNot: 'x' } },
    ],
    ['the order id, never', { orderId: 'a@b' }, { orderId: 'a@b' }],
  ];
  for (const [what, payload, shown] of cases) {
    it(what, () => expect(masked(payload)).to.deep.equal(shown));
  }

  it('takes a key that is too long for a name for one of personal data, and looks through none of it', () => {
    // Each is eighteen letters when it is written plainly.
    const ligatures = '\uFDFA'.repeat(1_001);
    const [short, long] = ['x'.repeat(1_000), 'x'.repeat(1_001)];
    expect(masked({ [short]: 'shown', [long]: 'masked', [ligatures]: 'masked' })).to.deep.include({
      [short]: 'shown',
      [long]: '***',
    });
    expect(Object.values(masked({ [ligatures]: 'masked' }))).to.deep.equal(['***']);
  });

  it('takes a key of many more plain letters than characters for one of personal data, and looks through none of it', () => {
    const [ligature, unit] = ['\uFDFA'.repeat(50), '\u337F'.repeat(50)];
    expect(masked({ metaData: { [ligature]: 'x1', [unit]: 'x2', ﬁat: 'x3' } })).to.deep.equal({
      metaData: { [ligature]: '***', [unit]: 'x2', ﬁat: 'x3' },
    });
  });

  it('looks into a name that is JSON, as a status of a report may be, as into a value', () => {
    const status = JSON.stringify({ customer_name: 'Asha Rao', state: 'done' });
    const shown = JSON.stringify({ customer_name: '***', state: 'done' });
    const report = (name: string): JsonObject => ({ byStatus: { [name]: 3, completed: 1, '["a"]': 2 } });
    expect(maskedPlainTexts(report(status))).to.deep.equal(report(shown));
    expect(masked({ status })).to.deep.equal({ status: shown });
  });

  it('keeps a member named __proto__, masked like any other', () => {
    const payload: JsonObject = Object.fromEntries([['__proto__', { name: 'Asha' }]]);
    expect(JSON.stringify(masked(payload))).to.equal('{"__proto__":{"name":"***"}}');
  });

  it('looks through each key once, of thousands in every order, whatever keys came before', () => {
    const keysOf = (name: string, many: number): JsonObject =>
      Object.fromEntries(Array.from({ length: many }, (_, i) => [`${name}${i}`, 1]));
    masked({ metaData: keysOf('before', 30_000) });
    masked({ metaData: keysOf('now', 9_000) });
    const looking = mock.method(String.prototype, 'normalize');
    masked({ metaData: keysOf('now', 9_000) });
    const looked = looking.mock.callCount();
    looking.mock.restore();
    expect(looked).to.equal(0);
  });

  it('is through where many keys are masked alike: a look back at each of them would take many minutes', () => {
    const accounts = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`${i}-`, i]));
    expect(Object.keys(masked({ accounts: { accounts } }).accounts)).to.have.length(1);
  });

  it('has no short text refused by the parser, which makes an error of each: a body may hold tens of thousands', () => {
    const texts = ['{', '[x]', '"', '["asha@example.com"', '{"a":1}', '[1 1]'];
    const parsing = mock.method(JSON, 'parse');
    const shown = masked({ metaData: { texts } });
    const refused = parsing.mock.calls.filter(({ error }) => error !== undefined).length;
    const read = parsing.mock.callCount();
    parsing.mock.restore();
    expect(shown).to.deep.equal({ metaData: { texts: texts.with(3, '["a***@example.com"') } });
    expect([refused, read]).to.deep.equal([0, 1]);
  });

  it('is through with texts in texts: looking at each twice would double with each level, and take minutes', () => {
    const around = (text: string, levels: number): string =>
      levels === 0 ? text : around(JSON.stringify({ a: text }), levels - 1);
    const filler = 'x'.repeat(400_000);
    const shown = (e: string): JsonObject => ({ metaData: { note: around(JSON.stringify({ e, filler }), 16) } });
    expect(masked(shown('asha.rao@example.com'))).to.deep.equal(shown('a***@example.com'));
  });
});
