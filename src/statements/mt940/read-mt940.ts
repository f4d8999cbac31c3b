import { branded } from '../../domain/brand.ts';
import type { AccountName, CurrencyCode } from '../../domain/statement-line.ts';
import { linesOf } from '../booked-lines.ts';
import { checkBalances } from '../check-balances.ts';
import { FileAccounts } from '../file-accounts.ts';
import type { LineKeeper } from '../line-keeper.ts';
import type { PackedLines } from '../packed-lines.ts';
import type { ReadStatement } from '../read-statement.ts';
import { readText } from '../read-text.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { mt940Balance, type Mt940Balance } from './mt940-balance.ts';
import { mt940Entry } from './mt940-entry.ts';
import { END_OF_MESSAGE, mt940Fields, type Mt940Field } from './mt940-fields.ts';

/** Until the balance tells it. */
const ANY_ACCOUNT = { account: branded<AccountName>('-'), currency: branded<CurrencyCode>('XXX') };

/** One message while its fields are read: its entries are not kept as fields. */
class Message {
  account: Mt940Field | null = null;
  /** Of the statement and of its page. */
  number: Mt940Field | null = null;
  opening: Mt940Field | null = null;
  closing: Mt940Field | null = null;
  /** A field that only an interim report has. */
  interim: Mt940Field | null = null;
  /** The first and the last entry; null where there is none. */
  firstEntry: Mt940Field | null = null;
  lastEntry: Mt940Field | null = null;
  /** What is wrong with the first entry that can't be read. */
  wrong: StatementUnreadable | null = null;
  pending = 0;
  /** Of no account yet. */
  readonly lines: PackedLines;
  #details: Mt940Field[] = [];

  constructor(lines: PackedLines) {
    this.lines = lines;
  }

  /** Whether it is more than its envelope. */
  get isStatement(): boolean {
    return this.account !== null || this.opening !== null || this.closing !== null || this.firstEntry !== null;
  }

  take(field: Mt940Field): void {
    const { tag } = field;
    if (tag === '25' || tag === '25P') this.account = field;
    else if (tag === '28C' || tag === '28') this.number = field;
    else if (tag.startsWith('60')) this.opening ??= field;
    else if (tag.startsWith('62')) this.closing = field;
    else if (INTERIM.has(tag)) this.interim ??= field;
    else if (tag === '61') {
      this.#endEntry();
      this.firstEntry ??= field;
      this.lastEntry = field;
    } else if (tag === '86' && this.closing === null && this.lastEntry !== null) this.#details.push(field);
  }

  /** To be called behind its last field. */
  end(): void {
    this.#endEntry();
  }

  #endEntry(): void {
    if (this.lastEntry === null || this.wrong !== null) return;
    const entry = mt940Entry(this.lastEntry, this.#details);
    this.#details = [];
    if (entry === 'pending') this.pending += 1;
    else if (isUnreadable(entry)) this.wrong = entry;
    else this.lines.add({ ...ANY_ACCOUNT, ...entry });
  }
}

/** Tags of MT942 that MT940 has not: the least amount that it is of, its time, and its sums. */
const INTERIM = new Set(['34F', '13', '13D', '90C', '90D']);

/** Tags with which a new message may begin, where the one before has ended. */
const BEGINNINGS = new Set(['20', '21', '25', '25P', '28', '28C', '60', '60F', '60M']);

/**
 * The messages of a file, one by one. One begins at field 20, and, where a bank leaves that out, at the first field that can't
 * belong to the one before, which has its closing balance.
 */
function* messagesOf(fields: Iterable<Mt940Field>, keeper: LineKeeper): Generator<Message, void> {
  let open: Message | null = null;
  for (const field of fields) {
    const { tag } = field;
    if (open !== null && (tag === END_OF_MESSAGE || tag === '20' || (open.closing !== null && BEGINNINGS.has(tag)))) {
      open.end();
      if (open.isStatement) yield open;
      open = null;
    }
    if (tag === END_OF_MESSAGE || (open === null && !BEGINNINGS.has(tag) && tag !== '61')) continue;
    open ??= new Message(keeper.begin());
    open.take(field);
  }
  open?.end();
  if (open?.isStatement === true) yield open;
}

/** The account as the bank writes it, without a currency that stands behind an IBAN. */
const accountName = (field: Mt940Field, currency: string): string => {
  const text = (field.lines[0] ?? '').trim();
  const withoutBlank =
    text.endsWith(` ${currency}`) || text.endsWith(`/${currency}`) ? text.slice(0, -currency.length - 1) : text;
  return /^[A-Z]{2}\d{2}[A-Z\d]{10,30}$/.test(withoutBlank) && withoutBlank.endsWith(currency)
    ? withoutBlank.slice(0, -currency.length)
    : withoutBlank;
};

/** `69/2`: the second page of statement 69. */
const NUMBERED = /^\s*(\d{1,9})\/(\d{1,9})\s*$/;

const numberedAs = (field: Mt940Field | null): ReadStatement['numbered'] => {
  const [, statement, page] = NUMBERED.exec(field?.lines[0] ?? '') ?? [];
  return statement === undefined ? null : { statement, page: Number(page) };
};

const statementOf = (
  message: Message,
  before: ReadStatement | undefined,
  accounts: FileAccounts,
): ReadStatement | StatementUnreadable => {
  const first = message.account ?? message.opening ?? message.closing ?? message.firstEntry;
  const firstLine = first?.line ?? 1;
  const opening = message.opening === null ? null : mt940Balance(message.opening);
  if (isUnreadable(opening)) return opening;
  const closing = message.closing === null ? null : mt940Balance(message.closing);
  if (isUnreadable(closing)) return closing;
  const balance: Mt940Balance | null = opening ?? closing;
  if (balance === null && message.interim !== null) {
    const { line, tag } = message.interim;
    return unreadable(
      line,
      `:${tag}:`,
      'it is of an interim report (MT942), which is not final: give the statement of the day',
    );
  }
  if (balance === null) return unreadable(firstLine, ':60F:', 'the account has no currency: neither balance is there');
  if (closing === null)
    return unreadable(message.lastEntry?.line ?? firstLine, ':62F:', 'the file ends before the closing balance');
  const { currency } = balance;
  if (closing.currency !== currency)
    return unreadable(
      closing.line,
      `:${message.closing?.tag ?? ''}:`,
      `it is in ${closing.currency}, not in ${currency}`,
    );
  const name = message.account === null ? (before?.account ?? '') : accountName(message.account, currency);
  if (name === '') return unreadable(firstLine, ':25:', 'the statement names no account');
  const account = branded<AccountName>(name);
  const tooMany = accounts.take({ account, currency }, firstLine, ':25:');
  if (tooMany !== null) return tooMany;
  if (message.wrong !== null) return message.wrong;
  const lines = linesOf(message.lines, { account, currency });
  const wrong = checkBalances(
    opening?.amount ?? null,
    lines,
    closing.amount,
    closing.line,
    `:${message.closing?.tag ?? '62F'}:`,
  );
  return (
    wrong ?? {
      account,
      currency,
      from: opening?.on ?? null,
      to: closing.on,
      opening: opening?.amount ?? null,
      closing: closing.amount,
      isFollowing: message.opening?.tag === '60M',
      isFollowed: message.closing?.tag === '62M',
      numbered: numberedAs(message.number),
      lines,
      pending: message.pending,
    }
  );
};

/** Reads MT940 in the dialects of banks (docs/spec/statements.md, MT940). */
export const readMt940 = (bytes: Uint8Array, keeper: LineKeeper): readonly ReadStatement[] | StatementUnreadable => {
  const text = readText(bytes);
  if (isUnreadable(text)) return text;
  const statements: ReadStatement[] = [];
  const accounts = new FileAccounts();
  for (const message of messagesOf(mt940Fields(text), keeper)) {
    const statement = statementOf(message, statements.at(-1), accounts);
    if (isUnreadable(statement)) return statement;
    statements.push(statement);
  }
  return statements.length === 0 ? unreadable(1, ':20:', 'there is no statement in it') : statements;
};
