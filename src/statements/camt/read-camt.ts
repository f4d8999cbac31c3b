import type { SAXParser } from 'sax';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { AccountName, CurrencyCode } from '../../domain/statement-line.ts';
import { checkBalances } from '../check-balances.ts';
import { knownCurrency } from '../currency.ts';
import { FileAccounts } from '../file-accounts.ts';
import type { LineKeeper } from '../line-keeper.ts';
import type { PackedLines } from '../packed-lines.ts';
import type { ReadStatement } from '../read-statement.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { elementAt, readXml, textAt, type XmlElement } from '../xml-element.ts';
import { xmlText } from '../xml-text.ts';
import { camtBalances, camtDay } from './camt-balances.ts';
import { camtEntry } from './camt-entry.ts';
import { isNumber, numberedIn } from './camt-numbers.ts';
import { dayIn } from './camt-values.ts';
import { twiceInCamt } from './once-in-camt.ts';

const STATEMENTS = 'BkToCstmrStmt';

/** Envelopes and messages are within these levels. */
const TOP_LEVELS = 8;

/** Banks give some dozen: of days, of what is available on each, and of credit lines. */
const MOST_BALANCES = 1_000;

/** A statement has three at the most. */
const MOST_NUMBERS = 16;

/** The account that a statement names: an IBAN, else whatever number or proxy it has. */
const accountIn = (element: XmlElement): string | null =>
  textAt(element, 'Id', 'IBAN') ??
  textAt(element, 'Id', 'Othr', 'Id') ??
  textAt(element, 'Id', 'BBAN') ??
  textAt(element, 'Id', 'PrtryAcct', 'Id') ??
  textAt(element, 'Id', 'UPIC') ??
  textAt(element, 'Prxy', 'Id');

/** A statement while it is read: its parts come one after the other, and entries are not kept as elements. */
class Statement {
  readonly #document: string;
  readonly #accounts: FileAccounts;
  readonly #parts = new Map<string, XmlElement>();
  readonly #balances: XmlElement[] = [];
  readonly #numbers: XmlElement[] = [];
  readonly #lines: PackedLines;
  #account: { readonly name: AccountName; readonly currency: CurrencyCode } | null = null;
  /** The one day of its balances so far. */
  #day: BusinessDay | null = null;
  #pending = 0;

  constructor(document: string, lines: PackedLines, accounts: FileAccounts) {
    this.#document = document;
    this.#accounts = accounts;
    this.#lines = lines;
  }

  /** Takes a part of the statement: its account, a balance, an entry. */
  take(part: XmlElement): StatementUnreadable | null {
    const twice = twiceInCamt(part);
    if (twice !== null) return twice;
    if (part.name === 'Bal') return this.#takeBalance(part);
    else if (part.name === 'Ntry') return this.#takeEntry(part);
    else if (part.name === 'Acct' || part.name === 'FrToDt') return this.#takeOnce(part);
    else if (isNumber(part) && this.#numbers.length < MOST_NUMBERS) this.#numbers.push(part);
    return null;
  }

  #takeOnce(part: XmlElement): StatementUnreadable | null {
    if (this.#parts.has(part.name)) return unreadable(part.line, part.name, 'the statement has two');
    this.#parts.set(part.name, part);
    return null;
  }

  #takeBalance(balance: XmlElement): StatementUnreadable | null {
    this.#balances.push(balance);
    this.#day = camtDay(this.#balances);
    return this.#balances.length > MOST_BALANCES
      ? unreadable(balance.line, 'Bal', `only ${String(MOST_BALANCES)} balances of a statement are read`)
      : null;
  }

  /** @param line where the statement ends */
  end(line: number): ReadStatement | StatementUnreadable {
    const account = this.#accountBefore(null, line);
    if (isUnreadable(account)) return account;
    const balances = camtBalances(this.#balances, account.currency);
    if (isUnreadable(balances)) return balances;
    const days = this.#parts.get('FrToDt');
    const dayAt = (...names: readonly string[]) =>
      dayIn(
        names.map((name) => (days === undefined ? null : elementAt(days, name))).find((found) => found !== null) ??
          null,
      );
    const from = dayAt('FrDtTm', 'FrDt');
    if (isUnreadable(from)) return from;
    const to = dayAt('ToDtTm', 'ToDt');
    if (isUnreadable(to)) return to;
    const { opening, closing, isFollowing, isFollowed, closingLine } = balances;
    const wrong = checkBalances(opening, this.#lines, closing, closingLine, 'CLBD');
    return (
      wrong ?? {
        account: account.name,
        currency: account.currency,
        from,
        to,
        opening,
        closing,
        isFollowing,
        isFollowed,
        numbered: numberedIn(this.#numbers),
        lines: this.#lines,
        pending: this.#pending,
      }
    );
  }

  #takeEntry(entry: XmlElement): StatementUnreadable | null {
    const account = this.#accountBefore(entry, entry.line);
    if (isUnreadable(account)) return account;
    const read = camtEntry(entry, account, this.#document, this.#day);
    if (isUnreadable(read)) return read;
    if (read === 'pending') this.#pending += 1;
    else for (const line of read) this.#lines.add(line);
    return null;
  }

  /** The account and its currency: what the account says, else what its balances are in, else the first entry. */
  #accountBefore(
    entry: XmlElement | null,
    line: number,
  ): { readonly name: AccountName; readonly currency: CurrencyCode } | StatementUnreadable {
    if (this.#account !== null) return this.#account;
    const element = this.#parts.get('Acct');
    if (element === undefined) return unreadable(line, 'Acct', 'the statement names no account');
    const name = accountIn(element);
    if (name === null) return unreadable(element.line, 'Acct', 'the account has neither IBAN nor another id');
    const amounts = [...this.#balances, ...(entry === null ? [] : [entry])].map((part) => elementAt(part, 'Amt'));
    const stated =
      textAt(element, 'Ccy') ??
      amounts.map((amount) => amount?.currency ?? '').find((currency) => currency !== '') ??
      '';
    const currency = knownCurrency(stated);
    if (currency === null)
      return unreadable(
        element.line,
        'Ccy',
        stated === '' ? 'the account has no currency' : `"${stated}" is no currency`,
      );
    const account = branded<AccountName>(name);
    const tooMany = this.#accounts.take({ account, currency }, element.line, 'Acct');
    if (tooMany !== null) return tooMany;
    this.#account = { name: account, currency };
    return this.#account;
  }
}

const noStatement = (seen: ReadonlySet<string>): StatementUnreadable => {
  if (seen.has('BkToCstmrAcctRpt'))
    return unreadable(1, 'BkToCstmrAcctRpt', 'camt.052 is a report of a day that goes on, no statement');
  if (seen.has('BkToCstmrDbtCdtNtfctn'))
    return unreadable(1, 'BkToCstmrDbtCdtNtfctn', 'camt.054 is a notification, no statement');
  return unreadable(1, STATEMENTS, 'there is no statement in it');
};

/** Reads camt.053 of any version, in an envelope or without (docs/spec/statements.md, camt.053). */
export const readCamt = (
  Parser: new (strict: boolean, options: { strictEntities: true; position: true }) => SAXParser,
  bytes: Uint8Array,
  keeper: LineKeeper,
): readonly ReadStatement[] | StatementUnreadable => {
  const document = xmlText(bytes);
  if (isUnreadable(document)) return document;
  const statements: ReadStatement[] = [];
  const seen = new Set<string>();
  const accounts = new FileAccounts();
  const begin = (): Statement => new Statement(document, keeper.begin(), accounts);
  let current = begin();
  const failure = readXml(Parser, document, {
    whole: (name, path) => {
      if (path.length < TOP_LEVELS) seen.add(name);
      return path.at(-1) === 'Stmt' && path.at(-2) === STATEMENTS;
    },
    take: (element) => current.take(element),
    end: (name, path, line) => {
      if (name !== 'Stmt' || path.at(-1) !== STATEMENTS) return null;
      const read = current.end(line);
      current = begin();
      if (isUnreadable(read)) return read;
      statements.push(read);
      return null;
    },
  });
  return failure ?? (statements.length === 0 ? noStatement(seen) : statements);
};
