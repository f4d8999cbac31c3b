import * as E from 'fp-ts/lib/Either.js';
import { failureWords, faultText, tooFarText, tooManyRowsText } from '../queries/failure/failure-words.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { cellText } from './output/cell-text.ts';

/** One line for standard error, and the exit status that goes with it (docs/spec/command-line.md, Exit statuses). */
export type CommandFailure = { readonly status: 1 | 2; readonly line: string };

/** A command that found or met something wrong (1), or was used or configured wrongly (2). */
export const failing = (status: CommandFailure['status'], line: string): E.Either<CommandFailure, never> =>
  E.left({ status, line });

/** The option that stands for a parameter: `--group-by` for `groupBy`. */
export const optionOf = (parameter: string): string =>
  `--${parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const STATUSES: Readonly<Record<QueryFailure['_tag'], CommandFailure['status']>> = {
  InvalidParameter: 2,
  TooManyRows: 2,
  MomentTooFar: 2,
  Forbidden: 2,
  AccessEnded: 1,
  NotFound: 1,
  StoreUnavailable: 1,
  ReadModelsBehind: 1,
  ReadModelsUnavailable: 1,
  UnreadableEvent: 1,
  ProofsBehind: 1,
  HistoryLost: 1,
  NotRecorded: 1,
  StatementUnreadable: 1,
  FileFailed: 1,
  StreamFailed: 1,
  StreamsEnded: 1,
  WorkbookUnwritable: 1,
  AskerGone: 1,
  PeriodAlreadyClosed: 1,
  PeriodNotClosed: 1,
  LaterPeriodClosed: 1,
  PeriodNotReady: 1,
  QuarantinedReleased: 1,
  QuarantinedClosed: 1,
  QuarantinedNotClosed: 1,
  PeriodTooLarge: 1,
  DecisionTooLarge: 1,
  Overloaded: 1,
  RateLimited: 1,
};

/** Wrong usage names the option; of all else the operator, who asks, is told the cause too. */
const lineOf = (failure: QueryFailure): string => {
  if (failure._tag === 'InvalidParameter') {
    const { parameter, fault } = failure;
    return fault._tag === 'Backwards'
      ? `${optionOf(parameter)} is later than ${optionOf(fault.to)}`
      : `${optionOf(parameter)}: ${faultText(fault)}`;
  }
  if (failure._tag === 'MomentTooFar') return `${optionOf('asOf')}: ${tooFarText(failure.most)}`;
  if (failure._tag === 'TooManyRows') return `${optionOf('format')}: ${tooManyRowsText(failure.most)}`;
  if (failure._tag === 'Forbidden' && failure.parameter !== null) {
    return `${optionOf(failure.parameter)}: an e-mail address or a phone number needs --pii too`;
  }
  // It is no outage, and what to do about it is the whole line.
  if (failure._tag === 'StoreUnavailable' && failure.reason === 'InUse') return cellText(failure.detail);
  if (failure._tag === 'PeriodNotReady') {
    return `not well: ${failure.checks.join(', ')}; see ramp-ledger period show, or name them in --despite`;
  }
  if (failure._tag === 'PeriodNotClosed') return 'the month is open; ramp-ledger period list says which are closed';
  const { detail, cause } = failureWords(failure);
  return cellText(cause === null || cause === detail ? detail : `${detail} (${cause})`);
};

/**
 * The one place where a failure becomes the end of a command: its exit status and its line (docs/spec/command-line.md,
 * Exit statuses).
 */
export const commandFailure = (failure: QueryFailure): CommandFailure => ({
  status: STATUSES[failure._tag],
  line: lineOf(failure),
});
