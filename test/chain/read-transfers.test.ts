import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { instantOf } from '../../src/domain/instant.ts';
import { isTransfersUnreadable, readTransfers, type TransfersContext } from '../../src/chain/read-transfers.ts';
import { parseChainId } from '../../src/domain/transfer.ts';

const NOW = instantOf(Date.UTC(2026, 0, 2));
const CONTEXT: TransfersContext = { chainId: parseChainId('137'), token: null, decimals: null, now: NOW };

const HASH = `0x${'ab'.repeat(32)}`;

const EXPORT = [
  '"Transaction Hash","Blockno","UnixTimestamp","DateTime (UTC)","From","To","TokenValue","USDValueDayOfTx","ContractAddress","TokenName","TokenSymbol"',
  `"${HASH}","52","1700000000","2023-11-14 22:13:20","0xf0","0xc0","1,250.5","$1,250.5","0xdac1","Tether","USDT"`,
  `"${HASH}","52","1700000000","2023-11-14 22:13:20","0xf0","0xc0","0.25","$0.25","0xdac1","Tether","USDT"`,
].join('\n');

const read = (text: string, over: Partial<TransfersContext> = {}) => {
  const transfers = readTransfers(parse, text, { ...CONTEXT, ...over });
  return isTransfersUnreadable(transfers) ? expect.fail(transfers.detail) : transfers;
};

const refusal = (text: string) => {
  const transfers = readTransfers(parse, text, CONTEXT);
  return isTransfersUnreadable(transfers) ? [transfers.line, transfers.field] : expect.fail('it was read');
};

describe('files of transfers', () => {
  it("are Etherscan's token export: amounts in tokens, in base units where the decimals are known", () => {
    const [first, second] = read(EXPORT, { decimals: 6 });
    expect(first).to.include({ chainId: 137, txnHash: HASH, block: 52, token: '0xdac1', from: '0xf0', to: '0xc0' });
    expect([first?.amount, first?.baseUnits, second?.baseUnits]).to.deep.equal(['1250.5', '1250500000', '250000']);
    expect(read(EXPORT)[0]).to.include({ amount: '1250.5', baseUnits: null, status: 'success', source: 'explorer' });
  });

  it('are NDJSON of what is listed', () => {
    const line = {
      chainId: 1,
      txnHash: HASH,
      block: 7,
      confirmations: 12,
      status: 'failed',
      token: null,
      from: '0xf0',
    };
    const [transfer] = read(
      `${JSON.stringify({ ...line, to: '0xc0', baseUnits: '5', observedAt: '2026-01-01T00:00:00Z' })}\n`,
    );
    expect(transfer).to.deep.include({ ...line, to: '0xc0', baseUnits: '5', observedAt: '2026-01-01T00:00:00.000Z' });
  });

  it('are refused with line and field', () => {
    expect(refusal(EXPORT.replace('"0.25","$', '"x","$'))).to.deep.equal([3, 'baseUnits']);
    expect(refusal('a,b\n1,2')).to.deep.equal([1, 'Transaction Hash']);
    expect(refusal(`{"chainId":1,"txnHash":"${HASH}"}`)).to.deep.equal([1, 'to']);
    expect(refusal('{"chainId":1}\n{')).to.deep.equal([1, 'txnHash']);
  });

  it('are refused where one was observed more than a minute ahead of the clock: it would hide what is seen until then', () => {
    const seenAt = (ms: number): string =>
      `{"chainId":1,"txnHash":"${HASH}","to":"0xc0","baseUnits":"5","observedAt":"${instantOf(ms)}"}`;
    const minuteAhead = Date.parse(NOW) + 60_000;
    expect(read(seenAt(minuteAhead))[0]?.observedAt).to.equal(instantOf(minuteAhead));
    expect(refusal(`${seenAt(0)}\n${seenAt(minuteAhead + 1)}`)).to.deep.equal([2, 'observedAt']);
    const [header, row] = EXPORT.split('\n');
    expect(refusal(`${header},"observedAt"\n${row},"2099-01-01T00:00:00Z"`)).to.deep.equal([2, 'observedAt']);
  });

  const stated = (members: string): string =>
    `{"chainId":1,"txnHash":"${HASH}","to":"0xc0","token":"0xdac1",${members}}`;

  it('have numbers of JSON to their last digit', () => {
    expect(read(stated('"baseUnits":12345678901234567891'))[0]?.baseUnits).to.equal('12345678901234567891');
    const [tokens] = read(stated('"amount":0.12345678901234567891,"decimals":20'));
    expect([tokens?.amount, tokens?.baseUnits]).to.deep.equal(['0.12345678901234567891', '12345678901234567891']);
  });

  it('are refused where a figure can be read in two ways, or is there twice', () => {
    expect(refusal(stated('"amount":"1,5","decimals":6'))).to.deep.equal([1, 'baseUnits']);
    expect(refusal(stated('"baseUnits":"5","baseUnits":"7"'))).to.deep.equal([1, 'baseUnits']);
    expect(refusal(stated('"baseUnits":"5","base_units":"7"'))).to.deep.equal([1, 'base_units']);
    expect(refusal(EXPORT.replace('"1,250.5"', '1,250.5'))).to.deep.equal([2, 'csv']);
    expect(refusal(EXPORT.replace('USDValueDayOfTx', 'TokenValue'))).to.deep.equal([1, 'tokenvalue']);
  });

  it('are refused where a field is there and is not what it should be', () => {
    for (const [field, members] of [
      ['baseUnits', '"baseUnits":"5.5","amount":"5"'],
      ['baseUnits', '"amount":"-5"'],
      ['block', '"baseUnits":"5","block":"latest"'],
      ['confirmations', '"baseUnits":"5","confirmations":"many"'],
      ['source', '"baseUnits":"5","source":"a\\u0000b"'],
      ['source', '"baseUnits":"5","source":"a\\ud800"'],
    ] as const)
      expect(refusal(stated(members)), members).to.deep.equal([1, field]);
    expect(refusal(stated('"baseUnits":"5"').replace('0xdac1', 'a token'))).to.deep.equal([1, 'token']);
  });

  it('may have columns twice that nothing is read from, and a mark of their encoding', () => {
    expect(read(EXPORT.replace('"TokenName"', '"TokenSymbol"'))).to.have.length(2);
    expect(read(`\ufeff${stated('"baseUnits":"5"')}`)).to.have.length(1);
  });

  it('are in base units by the decimals of the row before those of the request, as far as these hold the figure', () => {
    const figures = (members: string, over: Partial<TransfersContext> = {}) => {
      const [transfer] = read(stated(members), over);
      return [transfer?.amount, transfer?.baseUnits];
    };
    expect(figures('"amount":"1.5"', { decimals: 6 })).to.deep.equal(['1.5', '1500000']);
    expect(figures('"amount":"1.5","decimals":"1"', { decimals: 6 })).to.deep.equal(['1.5', '15']);
    expect(figures('"amount":"1.25","decimals":"1"')).to.deep.equal(['1.25', null]);
    expect(figures('"amount":"1.5","baseUnits":"7"', { decimals: 6 }), 'exact before rounded').to.deep.equal([
      null,
      '7',
    ]);
    const [coin] = read(stated('"amount":"1.5"').replace('"token":"0xdac1",', ''));
    expect(coin?.baseUnits).to.equal('1500000000000000000');
  });

  it('have as many decimals as a token may, however many are stated', () => {
    for (const decimals of ['999999999999999', '37', '-1', 'x'])
      expect(refusal(stated(`"amount":"1","decimals":"${decimals}"`)), decimals).to.deep.equal([1, 'decimals']);
  });

  it('say what failed in the words of an explorer', () => {
    const statusOf = (members: string) => read(stated(`"baseUnits":"5",${members}`))[0]?.status;
    expect(statusOf('"isError":"1"')).to.equal('failed');
    expect(statusOf('"isError":"1","txreceipt_status":"1"')).to.equal('failed');
    expect(statusOf('"isError":"0","txreceipt_status":"0"')).to.equal('failed');
    expect(statusOf('"isError":0,"txreceipt_status":1')).to.equal('success');
    expect(statusOf('"Status":"Error(0)","ErrCode":"out of gas"')).to.equal('failed');
    expect(statusOf('"Status":"","ErrCode":"execution reverted"')).to.equal('failed');
    expect(statusOf('"Status":"","ErrCode":""')).to.equal('success');
    expect(refusal(stated('"baseUnits":"5","isError":"yes"'))).to.deep.equal([1, 'isError']);
  });

  it("have the chain's own coin from the column of what came in or of what went out", () => {
    const coins = (came: string, went: string) =>
      read(
        `"Transaction Hash","From","To","Value_IN(ETH)","Value_OUT(ETH)"\n"${HASH}","0xf0","0xc0","${came}","${went}"`,
      )[0]?.amount;
    expect(coins('0', '1.5')).to.equal('1.5');
    expect(coins('1.5', '0')).to.equal('1.5');
    expect(coins('0', '0')).to.equal('0');
  });
});
