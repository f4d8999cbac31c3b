import { expect } from 'chai';
import fc from 'fast-check';
import { masked, maskedFact, maskedMemberPath, maskedPath } from '../../../src/queries/masking/masking.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../src/domain/json.ts';
import { payloads } from '../../support/arbitraries.ts';

const NEEDLE = 'Needle-4711';

/** A value somewhere in arrays and under keys that say nothing. */
const nested = (value: JsonValue): fc.Arbitrary<JsonValue> =>
  fc
    .array(fc.constantFrom('list', 'first', 'value', 'number', 'x y'))
    .map((path) =>
      path.reduce<JsonValue>(
        (inner, key) => (key === 'list' ? [null, inner, 1] : { [key]: inner, other: true }),
        value,
      ),
    );

const personalKeys = fc.constantFrom(
  'email',
  'E-Mail',
  'customerMail',
  'phone',
  'PHONE_NO',
  'telephone',
  'name',
  'first_name',
  'lastname',
  'beneficiaryName',
  'account',
  'accountNumber',
  'bank_account_no',
  'accountholder',
  'iban',
  'IBAN',
  'ifsc',
  'ifscCode',
  'vpa',
  'upiVpa',
  'card',
  'cardNo',
  'mobileNo',
  'contact',
  'accountHolder',
  'upi',
  'upiId',
  'payer_upi',
  'pan',
  'panNumber',
  'customerPAN',
  'PANnumber',
  'UPIid',
  'ｎａｍｅ',
  'n\u200bame',
  'e\u00admail',
  'em\u3164ail',
  '\u2066phone\u2069',
  'numéroDeTéléphoneMóbile',
  'pàn',
  'userpan',
  'kycpan',
  'pandetails',
  'PANDETAILS',
  'panvalue',
  'mypanno',
  'payeeupi',
  'payerupiid',
  'upinumber',
  'upilink',
  'upis',
  'aadhaar',
  'aadharNo',
  'passportNumber',
  'dateOfBirth',
  'walletOwnerName',
  'walletName',
  'utrAccount',
  'accountHash',
  'creditcard',
  'eMail',
  'iBan',
  'userVPa',
  'payeeVPA',
  'prevPayeeVpa',
  'pHoneNo',
  'cardanoHolder',
  'placeholderName',
  'iFSCCode',
  'ifsCode',
  'vPAAddress',
  'vpAddress',
  'iBANNumber',
  'payee_iBAN',
  'user_passPort',
  'aadHaar_no',
  'cardAnonToken',
  'cardANo',
  'cardInAlias',
  'marketplaceHolder',
  'iBANHash',
  'prevPayoutAmount',
);

const keptKeys = fc.constantFrom(
  'utr',
  'UTR',
  'payoutUtr',
  'UTRNumber',
  'bank_utr',
  'walletAddress',
  'receiverWalletAddress',
  'wallet',
  'txnHash',
  'hash',
  'utr_no',
  'utrnumber',
  'walletaddress',
  'senderWallets',
  'transactionhash',
  'txHash1',
  'prevPayoutUtr',
  'recvPaidUtr',
  'cardanoTxHash',
);

/** Keys with letters in them that name something of a person elsewhere. */
const plainKeys = fc.constantFrom(
  'company',
  'companyId',
  'occupied',
  'cupid',
  'span',
  'timespan',
  'spanId',
  'spanNo',
  'timespanid',
  'pandora',
  'japan',
  'panel',
  'panelId',
  'PANEL',
  'panic',
  'expand',
  'companions',
  'cardanoAmount',
  'CARDANO_TX',
  'discardedAt',
  'tournamentId',
  'namespace',
  'placeholder',
  'pancake',
);

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
          broken: '{"phone":"987',
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

  it('keeps a member named __proto__, masked like any other', () => {
    const payload: JsonObject = Object.fromEntries([['__proto__', { name: 'Asha' }]]);
    expect(JSON.stringify(masked(payload))).to.equal('{"__proto__":{"name":"***"}}');
  });

  it('lets nothing personal through, at any depth, under any key that names it', () => {
    fc.assert(
      fc.property(
        personalKeys.chain((key) => nested(NEEDLE).map((value) => ({ [key]: value }))).chain(nested),
        (value) => {
          expect(JSON.stringify(masked({ metaData: value }))).not.to.include(NEEDLE);
        },
      ),
    );
  });

  it('lets nothing of a customer through, under any key', () => {
    fc.assert(
      fc.property(
        fc.string().filter((key) => key !== 'id' && key !== 'created_at'),
        nested(NEEDLE),
        (key, value) => {
          expect(JSON.stringify(masked({ customer: { id: 'c', [key]: value } }))).not.to.include(NEEDLE);
        },
      ),
    );
  });

  it('lets no address through in any payload', () => {
    fc.assert(
      fc.property(payloads, fc.emailAddress(), fc.string(), (payload, address, key) => {
        const [local = ''] = address.split('@');
        fc.pre(local.length > 1 && !/utr|wallet|hash/i.test(key) && key !== 'orderId');
        const shown = JSON.stringify(masked({ ...payload, [key]: { [address]: [`to ${address}`] } }));
        expect(shown).not.to.include(JSON.stringify(`${local}@`).slice(1, -1));
      }),
    );
  });

  it('never masks a utr, a wallet or a hash', () => {
    fc.assert(
      fc.property(
        keptKeys,
        nested('x').map((value) => JSON.stringify(value)),
        personalKeys,
        (key, _, outer) => {
          const payload = { metaData: { [outer]: { [key]: NEEDLE }, [key]: [NEEDLE] } };
          expect(masked(payload)).to.deep.equal(payload);
        },
      ),
    );
  });

  it('leaves alone what has letters of such a word in another one', () => {
    fc.assert(
      fc.property(plainKeys, nested(NEEDLE), (key, value) => {
        expect(masked({ metaData: { [key]: value } })).to.deep.equal({ metaData: { [key]: value } });
      }),
    );
  });

  it('masks once: masking again changes nothing', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const shown = masked(payload);
        expect(JSON.stringify(masked(shown))).to.equal(JSON.stringify(shown));
      }),
    );
  });

  it('is through where many keys are masked alike: a look back at each of them would take many minutes', () => {
    const accounts = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`${i}-`, i]));
    expect(Object.keys(masked({ accounts: { accounts } }).accounts)).to.have.length(1);
  });

  it('is through with texts in texts: looking at each twice would double with each level, and take minutes', () => {
    const around = (text: string, levels: number): string =>
      levels === 0 ? text : around(JSON.stringify({ a: text }), levels - 1);
    const filler = 'x'.repeat(400_000);
    const shown = (e: string): JsonObject => ({ metaData: { note: around(JSON.stringify({ e, filler }), 16) } });
    expect(masked(shown('asha.rao@example.com'))).to.deep.equal(shown('a***@example.com'));
  });
});

describe('maskedFact', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['customer.email', 'asha@example.com', 'a***@example.com'],
    ['customer.name', 'Asha', '***'],
    ['customer.phone.number', '987', '***'],
    ['customer.id', 'c1', 'c1'],
    ['customer.id.note', 'Asha', '***'],
    ['customer.age', '41', '***'],
    ['walletAddress', '0x1', '0x1'],
    ['payouts.utr', 'REF77@HDFC', 'REF77@HDFC'],
    ['payouts.utr', '{"name":"Asha"}', '{"name":"***"}'],
    ['fiat', '100', '100'],
    ['token.symbol', 'MATIC', 'MATIC'],
    ['token.contact', 'Asha', '***'],
  ];
  for (const [path, value, shown] of cases) {
    it(`${path}: ${value} → ${shown}`, () => expect(maskedFact(path, value)).to.equal(shown));
  }
});

describe('maskedPath', () => {
  it('hides the name of a member that is no name of a field', () => {
    expect(maskedPath('customer.phone.number')).to.equal('customer.phone.number');
    expect(maskedPath('customer.phone.+91 98765')).to.equal('customer.phone.***');
    expect(maskedPath('customer.phone.a@b.c')).to.equal('customer.phone.***');
  });
});

describe('maskedMemberPath', () => {
  for (const path of ['', 'customer.phone.number', 'metaData.items.0.ref', '0']) {
    it(`shows ${JSON.stringify(path)}`, () => expect(maskedMemberPath(path)).to.equal(path));
  }
  for (const path of ['customer.phone.+91 98765', 'metaData.a@b.c', 'accounts.98765', 'a.', '.a']) {
    it(`hides ${path}`, () => expect(maskedMemberPath(path)).to.equal('***'));
  }
});
