import { lowerAscii } from '../domain/letter-case.ts';
import type { parse as Parse } from 'csv-parse/sync';
import * as t from 'io-ts';
import { beginningOf } from '../domain/beginning-of.ts';
import { parseBaseUnits } from '../domain/decimal.ts';
import { epochMsOf, parseInstant, type Instant } from '../domain/instant.ts';
import { isJsonNumber, isJsonObject, numberText, type JsonValue } from '../domain/json.ts';
import { readExactly, type ExactlyRead } from '../domain/read-exactly.ts';
import {
  parseAddress,
  parseChainId,
  parseTxnHash,
  type Address,
  type ChainId,
  type SourcedTransfer,
  type TransferStatus,
} from '../domain/transfer.ts';
import { tokenKey } from '../domain/token-key.ts';
import { coinAmount, inBaseUnits, tokenAmount } from './token-amount.ts';

/** Why a file of transfers is refused whole: the line of the file, from 1, and what of it can't be read. */
export type TransfersUnreadable = { readonly line: number | null; readonly field: string; readonly detail: string };

/** What the request says beside the file. */
export type TransfersContext = {
  readonly chainId: ChainId | null;
  /** The token of an export of one token's page, which names none. */
  readonly token: Address | null;
  /** Decimals of the token, where no column has them. */
  readonly decimals: number | null;
  readonly now: Instant;
};

type Fields = ReadonlyMap<string, string>;

const wrong = (line: number | null, field: string, detail: string): TransfersUnreadable => ({ line, field, detail });

export const isTransfersUnreadable = (
  read: readonly SourcedTransfer[] | TransfersUnreadable,
): read is TransfersUnreadable => 'field' in read;

const STATUSES: ReadonlyMap<string, TransferStatus> = new Map([
  ['', 'success'],
  ['success', 'success'],
  ['confirmed', 'success'],
  ['1', 'success'],
  ['0x1', 'success'],
  ['true', 'success'],
  ['failed', 'failed'],
  ['reverted', 'failed'],
  ['error', 'failed'],
  ['0', 'failed'],
  ['0x0', 'failed'],
  ['false', 'failed'],
  ['dropped', 'dropped'],
]);

/** A column of their own says why one failed, in words of a node's; an export's `Error(0)` in that of the status is one too. */
const statusOf = (status: string, error: string): TransferStatus | undefined =>
  (error !== '' && STATUSES.get(error) !== 'success') || /^error ?\(\d{1,6}\)$/.test(status)
    ? 'failed'
    : STATUSES.get(status);

/** The names that explorers and programs give the fields; the first is that of the answer. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  chainId: ['chainid'],
  txnHash: ['txnhash', 'transactionhash', 'txhash', 'hash'],
  block: ['block', 'blockno', 'blocknumber'],
  confirmations: ['confirmations'],
  status: ['status', 'txreceiptstatus'],
  error: ['errcode'],
  token: ['token', 'contractaddress', 'tokencontract', 'tokenaddress'],
  from: ['from'],
  to: ['to'],
  baseUnits: ['baseunits', 'wei'],
  amount: ['amount', 'tokenvalue', 'quantity', 'value'],
  decimals: ['tokendecimal', 'tokendecimals', 'decimals'],
  observedAt: ['observedat'],
  source: ['source'],
};

const KNOWN_NAMES: ReadonlySet<string> = new Set([...Object.values(NAMES).flat(), 'iserror']);

const spelled = (name: string): string => lowerAscii(name).replaceAll(/[\s_-]/g, '');

const COIN_DECIMALS = 18;

/** As of the request. Beyond it are no tokens, and a figure would be as long as somebody says. */
const MOST_DECIMALS = 36;

/** What explorers say of failures in a column of its own. */
const FAILURES: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

const LONGEST_SOURCE = 64;

/** How far a source's clock may be ahead. What is observed later than it was would hide all that is seen until then. */
const MOST_AHEAD_MS = 60_000;

const wholeNumber = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

const rowReader =
  (context: TransfersContext, source: string) =>
  (fields: Fields, line: number): SourcedTransfer | TransfersUnreadable => {
    const text = (name: string): string =>
      (NAMES[name] ?? []).map((known) => fields.get(known) ?? '').find((found) => found !== '') ?? '';
    const chainId = text('chainId') === '' ? context.chainId : parseChainId(text('chainId'));
    if (chainId === null) return wrong(line, 'chainId', 'it is no number of a chain, and the request names none');
    const txnHash = parseTxnHash(text('txnHash'));
    if (txnHash === null) return wrong(line, 'txnHash', `"${text('txnHash').slice(0, 80)}" is no hash`);
    const to = parseAddress(text('to'));
    if (to === null) return wrong(line, 'to', `"${text('to').slice(0, 80)}" is no address`);
    const token = text('token') === '' ? context.token : parseAddress(text('token'));
    if (text('token') !== '' && token === null) return wrong(line, 'token', 'it is no address');
    const failure = FAILURES.get(lowerAscii(fields.get('iserror') ?? ''));
    if (failure === undefined) return wrong(line, 'isError', 'it is neither 0 nor 1');
    const status = failure ? 'failed' : statusOf(lowerAscii(text('status')), lowerAscii(text('error')));
    if (status === undefined)
      return wrong(line, 'status', `"${text('status').slice(0, 40)}" is none of success, failed, dropped`);
    const block = text('block') === '' ? null : wholeNumber(text('block'));
    if (text('block') !== '' && block === null) return wrong(line, 'block', 'it is no number of a block');
    const confirmations = text('confirmations') === '' ? null : wholeNumber(text('confirmations'));
    if (text('confirmations') !== '' && confirmations === null) return wrong(line, 'confirmations', 'it is no number');
    const stated = text('baseUnits') === '' ? null : parseBaseUnits(text('baseUnits'));
    if (text('baseUnits') !== '' && stated === null) return wrong(line, 'baseUnits', 'it is no whole number of units');
    const figure = text('amount') === '' ? coinAmount(fields) : text('amount');
    const amount = figure === '' ? null : tokenAmount(figure);
    if (stated === null && (amount === null || amount.startsWith('-')))
      return wrong(line, 'baseUnits', 'there is no amount of the token that can be read');
    const itsDecimals = text('decimals') === '' ? null : wholeNumber(text('decimals'));
    if (text('decimals') !== '' && (itsDecimals === null || itsDecimals > MOST_DECIMALS))
      return wrong(line, 'decimals', `it is no whole number from 0 to ${String(MOST_DECIMALS)}`);
    const decimals = itsDecimals ?? context.decimals ?? (tokenKey(token) === '' ? COIN_DECIMALS : null);
    const units = stated ?? (amount === null || decimals === null ? null : inBaseUnits(amount, decimals));
    const named = text('source');
    if (named.includes('\0') || !named.isWellFormed()) return wrong(line, 'source', 'it is no text');
    const observedAt = text('observedAt') === '' ? context.now : parseInstant(text('observedAt'));
    if (observedAt === null) return wrong(line, 'observedAt', 'it is no time');
    if (epochMsOf(observedAt) > epochMsOf(context.now) + MOST_AHEAD_MS)
      return wrong(line, 'observedAt', 'it is more than a minute ahead of the clock of the ledger');
    return {
      chainId,
      txnHash,
      token,
      to,
      block,
      confirmations,
      status,
      from: parseAddress(text('from')),
      baseUnits: units,
      amount: stated === null ? amount : null,
      observedAt,
      source: named === '' ? source : beginningOf(named, LONGEST_SOURCE),
    };
  };

const readRows = (
  rows: Iterable<readonly [Fields, number] | TransfersUnreadable>,
  context: TransfersContext,
): readonly SourcedTransfer[] | TransfersUnreadable => {
  const read = rowReader(context, 'file');
  const transfers: SourcedTransfer[] = [];
  for (const row of rows) {
    const transfer = 'field' in row ? row : read(row[0], row[1]);
    if ('field' in transfer) return transfer;
    transfers.push(transfer);
  }
  return transfers;
};

const shown = (value: JsonValue): string =>
  isJsonNumber(value)
    ? numberText(value)
    : typeof value === 'string' || typeof value === 'boolean'
      ? String(value)
      : '';

/** Numbers are read as they are written: base units are longer than a double holds. */
const jsonRow = (
  { value, contradictions }: ExactlyRead,
  line: number,
): readonly [Fields, number] | TransfersUnreadable => {
  if (!isJsonObject(value)) return wrong(line, 'json', 'the line is no object');
  const fields = new Map<string, string>();
  for (const [key, member] of Object.entries(value)) {
    const [name, text] = [spelled(key), shown(member)];
    const former = fields.get(name) ?? text;
    if (former !== text || contradictions.includes(key))
      return wrong(line, key.slice(0, 40), 'it is there twice, with two values');
    fields.set(name, text);
  }
  return [fields, line];
};

function* jsonRows(text: string): Generator<readonly [Fields, number] | TransfersUnreadable> {
  for (let begin = 0, number = 1; begin < text.length; number += 1) {
    const feed = text.indexOf('\n', begin);
    const line = text.slice(begin, feed === -1 ? text.length : feed);
    begin += line.length + 1;
    if (line.trim() === '') continue;
    try {
      JSON.parse(line);
      yield jsonRow(readExactly(line), number);
    } catch {
      yield wrong(number, 'json', 'the line is no JSON');
    }
  }
}

const Row = t.array(t.string);

/** Rows become transfers as they are read: a file of millions of short rows would fill the memory with them. */
const readCsv = (
  parse: typeof Parse,
  text: string,
  context: TransfersContext,
): readonly SourcedTransfer[] | TransfersUnreadable => {
  const read = rowReader(context, 'explorer');
  const transfers: SourcedTransfer[] = [];
  const noHash = wrong(1, 'Transaction Hash', 'the header has no such column');
  const seen: { names: readonly string[] | null; refusal: TransfersUnreadable | null } = { names: null, refusal: null };
  const onRow = (row: readonly string[], line: number): void => {
    if (seen.names === null) {
      seen.names = row.map(spelled);
      if (!seen.names.some((name) => NAMES['txnHash']?.includes(name) === true)) seen.refusal = noHash;
      const twice = seen.names.find((name, at, names) => KNOWN_NAMES.has(name) && names.indexOf(name) !== at);
      if (twice !== undefined) seen.refusal = wrong(line, twice, 'the header has this column more than once');
      return;
    }
    if (row.slice(seen.names.length).some((cell) => cell.trim() !== '')) {
      seen.refusal = wrong(line, 'csv', 'it has more cells than the header: a comma stands in one without quotes');
      return;
    }
    const transfer = read(new Map(seen.names.map((name, at) => [name, row[at]?.trim() ?? ''])), line);
    if ('field' in transfer) seen.refusal = transfer;
    else transfers.push(transfer);
  };
  try {
    parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 65_536,
      on_record: (row: unknown, { lines }) => {
        if (seen.refusal === null && Row.is(row)) onRow(row, lines);
        return null;
      },
    });
  } catch {
    return wrong(null, 'csv', 'a quote is not closed, or a record is too long');
  }
  return seen.refusal ?? (seen.names === null ? noHash : transfers);
};

/**
 * Reads transfers: NDJSON of what the ledger answers, or Etherscan's token export as CSV (docs/spec/statements.md, A transfer).
 *
 * @param parse csv-parse's reader
 */
export const readTransfers = (
  parse: typeof Parse,
  text: string,
  context: TransfersContext,
): readonly SourcedTransfer[] | TransfersUnreadable => {
  const body = text.replace(/^\ufeff/, '');
  return body.trimStart().startsWith('{') ? readRows(jsonRows(body), context) : readCsv(parse, body, context);
};
