import { expect } from 'chai';
import {
  AddressText,
  ChainIdNumber,
  hexKey,
  parseAddress,
  parseChainId,
  parseTxnHash,
  TransferIdText,
  TransferStatusText,
  TxnHashText,
  type Transfer,
} from '../../src/domain/transfer.ts';

describe('the types of a transfer', () => {
  it('reads the number of a chain, and nothing but digits', () => {
    expect(parseChainId('137')).to.equal(137);
    for (const text of ['0', '-1', '1.5', '0137', '99999999999999999', '']) expect(parseChainId(text)).to.equal(null);
    expect([ChainIdNumber.is(1), ChainIdNumber.is(0), ChainIdNumber.is('1')]).to.deep.equal([true, false, false]);
  });

  it('keeps the spelling of hashes and addresses, and compares them without letter case', () => {
    const hash = `0xAB${'0'.repeat(62)}`;
    expect(parseTxnHash(hash)).to.equal(hash);
    expect(hexKey(hash)).to.equal(hash.toLowerCase());
    expect(parseTxnHash('0x 1')).to.equal(null);
    expect(parseAddress('')).to.equal(null);
    expect([TxnHashText.is(hash), TxnHashText.is('')]).to.deep.equal([true, false]);
    expect([AddressText.is(hash), AddressText.is(' ')]).to.deep.equal([true, false]);
  });

  it('has codecs that refuse what the ledger does not write', () => {
    const status: Transfer['status'] = 'dropped';
    expect([TransferStatusText.is(status), TransferStatusText.is('ok')]).to.deep.equal([true, false]);
    expect([TransferIdText.is('a'.repeat(64)), TransferIdText.is('')]).to.deep.equal([true, false]);
  });
});
