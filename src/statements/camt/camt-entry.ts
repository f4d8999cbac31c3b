import type { BusinessDay } from '../../domain/business-day.ts';
import { joinedText, lineReferences, namesEntry, namesPayment } from '../references.ts';
import type { AccountName, BankLine, CurrencyCode } from '../../domain/statement-line.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { elementAt, elementsAt, textAt, textsAt, type XmlElement } from '../xml-element.ts';
import { batchDetails } from './camt-details.ts';
import { amountOf, dayIn, directionIn } from './camt-values.ts';

const REFERENCES: readonly (readonly string[])[] = [
  ['Refs', 'EndToEndId'],
  ['Refs', 'InstrId'],
  ['Refs', 'TxId'],
  ['Refs', 'UETR'],
  ['Refs', 'AcctSvcrRef'],
  ['Refs', 'ClrSysRef'],
  ['Refs', 'PmtInfId'],
  ['Refs', 'MsgId'],
  ['Refs', 'MndtId'],
  ['Refs', 'ChqNb'],
  ['Refs', 'AcctOwnrTxId'],
  ['Refs', 'AcctSvcrTxId'],
  ['Refs', 'MktInfrstrctrTxId'],
  ['Refs', 'PrcgId'],
  ['Refs', 'Prtry', 'Ref'],
  ['RmtInf', 'Strd', 'CdtrRefInf', 'Ref'],
  ['RmtInf', 'Strd', 'CdtrRefInf', 'CdtrRef'],
  ['RmtInf', 'Strd', 'RfrdDocInf', 'Nb'],
];

/** By which the bank names its entry. */
const OF_ENTRY = new Set(['AcctSvcrRef', 'AcctSvcrTxId', 'PrcgId']);

const TEXTS: readonly (readonly string[])[] = [
  ['RmtInf', 'Ustrd'],
  ['RmtInf', 'Strd', 'AddtlRmtInf'],
  ['AddtlTxInf'],
  ['RltdPties', 'Dbtr', 'Nm'],
  ['RltdPties', 'Dbtr', 'Pty', 'Nm'],
  ['RltdPties', 'Cdtr', 'Nm'],
  ['RltdPties', 'Cdtr', 'Pty', 'Nm'],
];

/** Their references are on each payment of the entry, and an entry has one batch or some. */
const MOST_BATCHES = 100;

/** A number of an entry within its statement says nothing outside of it. */
const isSerial = (reference: string): boolean => /^\d{1,6}$/.test(reference);

const textsOf = (details: readonly XmlElement[], places: readonly (readonly string[])[]): readonly string[] =>
  details.flatMap((detail) => places.flatMap((place) => textsAt(detail, ...place)));

const namedIn = (details: readonly XmlElement[]) =>
  details.flatMap((detail) =>
    REFERENCES.flatMap((place) => {
      const named = OF_ENTRY.has(place.at(-1) ?? '') ? namesEntry : namesPayment;
      return textsAt(detail, ...place).map(named);
    }),
  );

/**
 * The lines of an entry: one, or one for each payment of a batch; none, and the reason, for one that can't be read.
 * `pending` is an entry that is not booked.
 *
 * @param onlyDay the day of a statement of one day, on which an entry is booked that has no date of its own
 */
export const camtEntry = (
  entry: XmlElement,
  { name: account, currency }: { readonly name: AccountName; readonly currency: CurrencyCode },
  document: string,
  onlyDay: BusinessDay | null,
): readonly BankLine[] | StatementUnreadable | 'pending' => {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts', 'Prtry') ?? textAt(entry, 'Sts') ?? 'BOOK';
  if (status.toUpperCase() !== 'BOOK') return 'pending';
  const amountElement = elementAt(entry, 'Amt');
  const amount = amountOf(amountElement, currency);
  if (isUnreadable(amount)) return amount;
  if (amount === null) {
    const detail = amountElement === null ? 'there is none' : `it is not in ${currency}, the currency of the account`;
    return unreadable(amountElement?.line ?? entry.line, 'Amt', detail);
  }
  const direction = directionIn(entry);
  if (isUnreadable(direction)) return direction;
  const reversal = /^(?:true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
  const booked = dayIn(elementAt(entry, 'BookgDt'));
  if (isUnreadable(booked)) return booked;
  const value = dayIn(elementAt(entry, 'ValDt'));
  if (isUnreadable(value)) return value;
  const bookedOn = booked ?? value ?? onlyDay;
  if (bookedOn === null) return unreadable(entry.line, 'BookgDt', 'the entry has no date');
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const own = [textAt(entry, 'AcctSvcrRef'), textAt(entry, 'NtryRef')];
  const batches = elementsAt(entry, 'NtryDtls', 'Btch');
  if (batches.length > MOST_BATCHES)
    return unreadable(entry.line, 'Btch', `only ${String(MOST_BATCHES)} batches of an entry are read`);
  const ofBatches = batches.flatMap((batch) => [textAt(batch, 'PmtInfId'), textAt(batch, 'MsgId')]).map(namesPayment);
  const additional = textAt(entry, 'AddtlNtryInf');
  const line = (
    of: readonly XmlElement[],
    part: { amount: typeof amount; direction: typeof direction },
    raw: XmlElement,
  ) => ({
    account,
    currency,
    bookedOn,
    valueOn: value ?? bookedOn,
    amount: part.amount,
    direction: part.direction,
    reversal,
    ...lineReferences([
      ...namedIn(of),
      ...own.filter((reference) => reference !== null && !isSerial(reference)).map(namesEntry),
      ...ofBatches,
    ]),
    text: joinedText([...textsOf(of, TEXTS), additional]),
    raw: document.slice(raw.from, raw.to),
  });
  const parts = batchDetails(details, { amount, direction }, currency);
  if (parts === null) return [line(details, { amount, direction }, entry)];
  return parts.map((part) => line([part.element], part, part.element));
};
