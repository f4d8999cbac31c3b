import { upperAscii } from '../../domain/letter-case.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { XmlElement } from '../xml-element.ts';

/**
 * What an element has once by the schema of ISO 20022, as far as it decides what is read of an entry, a balance, an account or
 * the days of a statement. Elements that are not here are not looked into.
 */
const ONCE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Acct: ['Id', 'Ccy', 'Prxy'],
    Id: ['IBAN', 'Othr', 'BBAN', 'PrtryAcct', 'UPIC'],
    Othr: ['Id'],
    PrtryAcct: ['Id'],
    Prxy: ['Id'],
    FrToDt: ['FrDtTm', 'FrDt', 'ToDtTm', 'ToDt'],
    Bal: ['Tp', 'Amt', 'CdtDbtInd', 'Dt'],
    Tp: ['CdOrPrtry'],
    CdOrPrtry: ['Cd', 'Prtry'],
    Ntry: ['Amt', 'CdtDbtInd', 'RvslInd', 'Sts', 'BookgDt', 'ValDt'],
    Sts: ['Cd', 'Prtry'],
    BookgDt: ['Dt', 'DtTm'],
    ValDt: ['Dt', 'DtTm'],
    Dt: ['Dt', 'DtTm'],
    NtryDtls: [],
    TxDtls: ['Amt', 'CdtDbtInd', 'AmtDtls'],
    AmtDtls: ['TxAmt', 'InstdAmt'],
    TxAmt: ['Amt'],
    InstdAmt: ['Amt'],
    PrtryAmt: ['Amt'],
  }).map(([name, children]) => [name, new Set(children)]),
);

/** Elements that say one thing in one of two ways, or, in old versions and with some banks, as their own text. */
const CHOICES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Sts: ['Cd', 'Prtry'],
    BookgDt: ['Dt', 'DtTm'],
    ValDt: ['Dt', 'DtTm'],
    Dt: ['Dt', 'DtTm'],
  }).map(([name, children]) => [name, new Set(children)]),
);

/** As long as a day: the time behind it decides nothing. */
const DECIDING = 10;

/** What an element says in its own text and in each way of a choice. */
const saidIn = (element: XmlElement, ways: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [element, ...element.children.filter(({ name }) => ways.has(name))]
      .map(({ text }) => upperAscii(text.trim().slice(0, DECIDING)))
      .filter((text) => text !== ''),
  );

/**
 * The refusal of a part of a statement in which something stands twice that decides what is read of it: to take the first of two
 * is as good as to take the second. Null where there is none.
 */
export const twiceInCamt = (part: XmlElement): StatementUnreadable | null => {
  const once = ONCE.get(part.name);
  if (once === undefined) return null;
  const seen = new Set<string>();
  for (const child of part.children) {
    if (once.has(child.name) && seen.has(child.name)) return unreadable(child.line, child.name, `${part.name} has two`);
    seen.add(child.name);
    const deeper = twiceInCamt(child);
    if (deeper !== null) return deeper;
  }
  const choice = CHOICES.get(part.name);
  return choice !== undefined && saidIn(part, choice).size > 1
    ? unreadable(part.line, part.name, 'it says two things')
    : null;
};
