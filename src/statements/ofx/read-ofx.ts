import type { SAXParser } from 'sax';
import { branded } from '../../domain/brand.ts';
import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import { isNegative, type Decimal } from '../../domain/decimal.ts';
import type { AccountName, BankLine, CurrencyCode } from '../../domain/statement-line.ts';
import { magnitude, plainAmount } from '../amount-text.ts';
import { knownCurrency } from '../currency.ts';
import { FileAccounts } from '../file-accounts.ts';
import { mayBeGroup } from '../group-of-three.ts';
import type { LineKeeper } from '../line-keeper.ts';
import type { PackedLines } from '../packed-lines.ts';
import type { ReadStatement } from '../read-statement.ts';
import { readText } from '../read-text.ts';
import { joinedText, lineReferences, namesEntry, namesPayment } from '../references.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { readXml, type ElementHandler, type XmlElement } from '../xml-element.ts';
import { xmlText } from '../xml-text.ts';
import { readSgml } from './read-sgml.ts';

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS']);
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM']);
const PARTS = new Set(['STMTTRN', 'STMTTRNP', 'LEDGERBAL', 'CURDEF', 'DTSTART', 'DTEND', ...ACCOUNTS]);

/** The first text under a name, at any depth; null where there is none. */
const valueIn = (element: XmlElement, name: string): string | null => {
  for (const child of element.children) {
    const found = child.name === name && child.text.trim() !== '' ? child.text.trim() : valueIn(child, name);
    if (found !== null) return found;
  }
  return null;
};

/** The day of `20260131120000.000[-5:EST]`, as the bank wrote it; null for no date. */
const dayOf = (text: string): BusinessDay | null => {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text.trim());
  return match === null ? null : parseBusinessDay(match.slice(1, 4).join('-'));
};

/** Of what an entry has once. With more of one, the tags between two entries are lost, and the second with them. */
const ONCE = ['TRNAMT', 'DTPOSTED', 'FITID'];

/** A comma before the decimals, which OFX takes too. */
const WITH_COMMA = /^[+-]?\d+,\d+$/;

/** Groups of digits with blanks between them, which some write; anywhere else a blank stands between two figures. */
const GROUPED = /^[+-]? ?\d{1,3}(?: \d{3})*(?:\.\d*)?$/;

/** Null for what is none, or may be a thousand times as much: some write groups of digits with commas. */
const amountOf = (text: string, currency: CurrencyCode): Decimal | null => {
  if (!WITH_COMMA.test(text)) return plainAmount(GROUPED.test(text) ? text.replaceAll(' ', '') : text);
  const figure = text.replace(',', '.');
  return mayBeGroup(figure, currency) ? null : plainAmount(figure);
};

const REFERENCES = ['FITID', 'REFNUM', 'CHECKNUM', 'SRVRTID'];
/** By which the bank names its entry. */
const OF_ENTRY = new Set(['FITID', 'SRVRTID']);
const TEXTS = ['NAME', 'EXTDNAME', 'MEMO', 'MEMO2'];

type Account = { readonly name: AccountName; readonly currency: CurrencyCode };

/** The first element of a name, at any depth; null where there is none. */
const firstIn = (element: XmlElement, name: string): XmlElement | null => {
  for (const child of element.children) {
    const found = child.name === name ? child : firstIn(child, name);
    if (found !== null) return found;
  }
  return null;
};

const countIn = (element: XmlElement, name: string): number =>
  element.children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + countIn(child, name), 0);

/** Whether an element has one of that name in it, at any depth. */
const holds = (element: XmlElement, name: string): boolean => countIn(element, name) > 0;

/** A part of a statement within another one, which would not be read: an end between the two is missing. */
const partWithin = (element: XmlElement): XmlElement | null => {
  for (const child of element.children) {
    const found = PARTS.has(child.name) ? child : partWithin(child);
    if (found !== null) return found;
  }
  return null;
};

const lineIn = (entry: XmlElement, account: Account, document: string): BankLine | StatementUnreadable => {
  const twice = ONCE.find((name) => countIn(entry, name) > 1);
  if (twice !== undefined) return unreadable(entry.line, twice, 'the entry has two of them: it is two entries');
  if (holds(entry, 'CORRECTACTION'))
    return unreadable(entry.line, 'CORRECTACTION', 'it changes another entry, which may have been imported as it was');
  const foreign = firstIn(entry, 'CURRENCY');
  const symbol = foreign === null ? null : valueIn(foreign, 'CURSYM');
  if (foreign !== null && symbol === null && foreign.text.trim() !== '')
    return unreadable(entry.line, 'CURRENCY', 'it holds a text, and no CURSYM');
  const currency = symbol === null ? account.currency : knownCurrency(symbol);
  if (currency === null) return unreadable(entry.line, 'CURSYM', `"${(symbol ?? '').slice(0, 40)}" is no currency`);
  const amountText = valueIn(entry, 'TRNAMT') ?? '';
  const amount = amountOf(amountText, currency);
  if (amount === null)
    return unreadable(entry.line, 'TRNAMT', `"${amountText.slice(0, 40)}" is no amount, or may be two`);
  const posted = valueIn(entry, 'DTPOSTED') ?? '';
  const bookedOn = dayOf(posted);
  if (bookedOn === null) return unreadable(entry.line, 'DTPOSTED', `"${posted.slice(0, 40)}" is no date`);
  return {
    account: account.name,
    currency,
    bookedOn,
    valueOn: dayOf(valueIn(entry, 'DTAVAIL') ?? '') ?? bookedOn,
    amount: magnitude(amount),
    direction: isNegative(amount) ? 'out' : 'in',
    reversal: false,
    ...lineReferences(REFERENCES.map((name) => (OF_ENTRY.has(name) ? namesEntry : namesPayment)(valueIn(entry, name)))),
    text: joinedText(TEXTS.map((name) => valueIn(entry, name))),
    raw: document.slice(entry.from, entry.to),
  };
};

/** A statement while it is read, its parts coming one after the other. */
class Statement {
  readonly #document: string;
  readonly #accounts: FileAccounts;
  readonly #parts = new Map<string, XmlElement>();
  readonly #lines: PackedLines;
  #account: Account | null = null;
  #pending = 0;

  constructor(document: string, lines: PackedLines, accounts: FileAccounts) {
    this.#document = document;
    this.#accounts = accounts;
    this.#lines = lines;
  }

  take(part: XmlElement): StatementUnreadable | null {
    // Without its end an element swallows what stands behind it, and bookings would be lost.
    const within = partWithin(part);
    if (within !== null) return unreadable(part.line, part.name, `it has no end before ${within.name} begins`);
    if (part.name === 'STMTTRNP') this.#pending += 1;
    else if (part.name === 'STMTTRN') return this.#takeEntry(part);
    else this.#parts.set(ACCOUNTS.has(part.name) ? 'ACCOUNT' : part.name, part);
    return null;
  }

  end(line: number): ReadStatement | StatementUnreadable {
    const account = this.#accountBefore(line);
    if (isUnreadable(account)) return account;
    const balance = this.#parts.get('LEDGERBAL');
    const closingText = balance === undefined ? null : valueIn(balance, 'BALAMT');
    const closing = closingText === null ? null : amountOf(closingText, account.currency);
    if (closingText !== null && closing === null)
      return unreadable(balance?.line ?? line, 'BALAMT', `"${closingText.slice(0, 40)}" is no amount, or may be two`);
    return {
      account: account.name,
      currency: account.currency,
      from: dayOf(this.#parts.get('DTSTART')?.text ?? ''),
      to: dayOf(this.#parts.get('DTEND')?.text ?? ''),
      opening: null,
      closing,
      isFollowing: false,
      isFollowed: false,
      numbered: null,
      lines: this.#lines,
      pending: this.#pending,
    };
  }

  #takeEntry(entry: XmlElement): StatementUnreadable | null {
    const account = this.#accountBefore(entry.line);
    if (isUnreadable(account)) return account;
    const line = lineIn(entry, account, this.#document);
    if (isUnreadable(line)) return line;
    this.#lines.add(line);
    return null;
  }

  #accountBefore(line: number): Account | StatementUnreadable {
    if (this.#account !== null) return this.#account;
    const element = this.#parts.get('ACCOUNT');
    const name = element === undefined ? null : valueIn(element, 'ACCTID');
    if (name === null) return unreadable(element?.line ?? line, 'ACCTID', 'the statement names no account');
    const stated = this.#parts.get('CURDEF')?.text.trim() ?? '';
    const currency = knownCurrency(stated);
    if (currency === null)
      return unreadable(line, 'CURDEF', stated === '' ? 'the account has no currency' : `"${stated}" is no currency`);
    const account = branded<AccountName>(name);
    const tooMany = this.#accounts.take({ account, currency }, element?.line ?? line, 'ACCTID');
    if (tooMany !== null) return tooMany;
    this.#account = { name: account, currency };
    return this.#account;
  }
}

/** Whether a text is OFX 2, which is XML; OFX 1 is SGML. */
const isXml = (text: string): boolean => /^\s*<\?(?:xml|OFX)\s/i.test(text);

type Read = readonly ReadStatement[] | StatementUnreadable;

/** The statements of a document that is read in one way or the other. */
const statementsIn = (
  document: string,
  keeper: LineKeeper,
  read: (handler: ElementHandler) => StatementUnreadable | null,
): Read => {
  const statements: ReadStatement[] = [];
  const accounts = new FileAccounts();
  const begin = (): Statement => new Statement(document, keeper.begin(), accounts);
  let current = begin();
  const failure = read({
    whole: (name) => PARTS.has(name),
    take: (element) => current.take(element),
    end: (name, _path, line) => {
      if (!STATEMENTS.has(name)) return null;
      const ended = current.end(line);
      current = begin();
      if (isUnreadable(ended)) return ended;
      statements.push(ended);
      return null;
    },
  });
  return failure ?? (statements.length === 0 ? unreadable(1, 'STMTRS', 'there is no statement in it') : statements);
};

/** Whether SGML, whose texts have no end tags, stands below the header of OFX 2, as some banks write it. */
const isSgmlBelow = (document: string): boolean =>
  !/<!DOCTYPE/i.test(document) &&
  /<CURDEF>/i.test(document) &&
  !/<\/(?:CURDEF|ACCTID|TRNAMT|DTPOSTED)\s*>/i.test(document);

/** Reads OFX 1 and 2, of bank accounts and cards (docs/spec/statements.md, OFX). */
export const readOfx = (
  Parser: new (strict: boolean, options: { strictEntities: true; position: true }) => SAXParser,
  bytes: Uint8Array,
  keeper: LineKeeper,
): readonly ReadStatement[] | StatementUnreadable => {
  const plain = readText(bytes);
  if (isUnreadable(plain)) return plain;
  const document = isXml(plain) ? xmlText(bytes) : plain;
  if (isUnreadable(document)) return document;
  return isXml(plain) && !isSgmlBelow(document)
    ? statementsIn(document, keeper, (handler) => readXml(Parser, document, handler))
    : statementsIn(document, keeper, (handler) => readSgml(document, handler));
};
