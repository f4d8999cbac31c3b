import type { Big } from 'big.js';
import { amountText, type BankEntry } from './bank-entry.ts';
import type { BankStatement } from './bank-statements.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const indicator = (isIn: boolean): string => `<CdtDbtInd>${isIn ? 'CRDT' : 'DBIT'}</CdtDbtInd>`;

const balance = (code: string, amount: Big, currency: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amountText(amount.abs())}</Amt>` +
  `${indicator(amount.gte(0))}<Dt><Dt>${day}</Dt></Dt></Bal>`;

const entry = ({ amount, currency, direction, reversal, bookedOn, reference, text }: BankEntry): string =>
  [
    `<Ntry><Amt Ccy="${currency}">${amountText(amount)}</Amt>${indicator(direction === 'in')}`,
    reversal ? '<RvslInd>true</RvslInd>' : '',
    `<Sts>BOOK</Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt><ValDt><Dt>${bookedOn}</Dt></ValDt>`,
    `<BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd><NtryDtls><TxDtls>`,
    `<Refs><EndToEndId>${escaped(reference ?? 'NOTPROVIDED')}</EndToEndId></Refs>`,
    `<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  ].join('');

/** A statement as camt.053.001.02. */
export const camtStatement = (statement: BankStatement): string => {
  const { period, account, currency, from, to, opening, closing, lines } = statement;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>${currency}-${period}</MsgId><CreDtTm>${to}T23:59:59</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${account}-${period}</Id><CreDtTm>${to}T23:59:59</CreDtTm>`,
    `<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>`,
    `<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>`,
    balance('OPBD', opening, currency, from),
    balance('CLBD', closing, currency, to),
    ...lines.map(entry),
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
};
