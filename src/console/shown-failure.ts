import { problemKind } from '../openapi/problem-codes.ts';
import { failureWords, type FailureWords } from '../queries/failure/failure-words.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { checkWords } from '../queries/words/check-words.ts';

/** A form that is not of this session, or not of this console. */
export type StaleForm = { readonly _tag: 'StaleForm' };

export const STALE_FORM: StaleForm = { _tag: 'StaleForm' };

/** A failure as a page shows it. */
export type ShownFailure = Pick<FailureWords, 'detail' | 'cause'> & {
  readonly status: number;
  readonly code: FailureWords['code'] | 'stale-form';
  readonly title: string;
  /** What a person can do about it. */
  readonly nextStep: string;
  /** How soon it is worth loading the page again, in seconds; null: nobody knows. */
  readonly againInSeconds: number | null;
};

const SHOWN_STALE_FORM: ShownFailure = {
  status: 403,
  code: 'stale-form',
  title: 'This form is no longer valid',
  detail: 'it was sent from another site, or the session that it belongs to is over',
  cause: null,
  nextStep: 'Load the page again, and send its form.',
  againInSeconds: null,
};

const CHANGE_FILTER = 'Change the filter, or start again without any.';
const WAIT = 'Load the page again in a moment; Health says what is away.';
const SEE_PERIODS = 'Look at the month again: it may have changed meanwhile.';
const SEE_QUARANTINED = 'Look at the delivery again: somebody else may have dealt with it meanwhile.';
const LOAD_AGAIN = 'Load the page again. If that does not help, look for the request id in the log.';

const NEXT_STEPS: Readonly<Record<QueryFailure['_tag'], string>> = {
  InvalidParameter: CHANGE_FILTER,
  TooManyRows: CHANGE_FILTER,
  MomentTooFar: CHANGE_FILTER,
  Forbidden: 'Sign in with a key that has this scope.',
  AccessEnded: 'Sign in again.',
  NotFound: 'Search for an order id, UTR, transaction hash or wallet: press / anywhere.',
  StoreUnavailable: WAIT,
  ReadModelsBehind: WAIT,
  ReadModelsUnavailable: WAIT,
  NotRecorded: 'Nothing was recorded. Send it again in a moment; Health says what is away.',
  StatementUnreadable: 'Mend the file, or ask the bank for it again.',
  FileFailed: WAIT,
  ProofsBehind: WAIT,
  StreamFailed: WAIT,
  StreamsEnded: WAIT,
  AskerGone: WAIT,
  PeriodAlreadyClosed: SEE_PERIODS,
  PeriodNotClosed: SEE_PERIODS,
  LaterPeriodClosed: SEE_PERIODS,
  PeriodNotReady: 'Look at the month again: do what is left, or tick it and say why.',
  QuarantinedReleased: SEE_QUARANTINED,
  QuarantinedClosed: SEE_QUARANTINED,
  QuarantinedNotClosed: SEE_QUARANTINED,
  PeriodTooLarge: SEE_PERIODS,
  DecisionTooLarge: 'Decide on smaller matches, or ask the bank for references that tell its payouts apart.',
  Overloaded: WAIT,
  UnreadableEvent: LOAD_AGAIN,
  HistoryLost: 'Run ramp-ledger verify: it says which events are gone or changed.',
  WorkbookUnwritable: LOAD_AGAIN,
  RateLimited: LOAD_AGAIN,
};

/** What a page is headed by where the interface's own title speaks to programs. */
const TITLES: Readonly<Partial<Record<QueryFailure['_tag'], string>>> = {
  InvalidParameter: 'Something in the filter is wrong',
  MomentTooFar: 'This moment is too far for a list',
  Forbidden: 'Your key may not see this',
  ReadModelsBehind: 'Lists and reports are not up to date yet',
};

const fieldName = (parameter: string): string => `“${parameter.charAt(0).toUpperCase()}${parameter.slice(1)}”`;

/** What is wrong with a form, in the words that stand beside its fields. */
const detailOf = (failure: QueryFailure, detail: string): string => {
  if (failure._tag === 'PeriodNotReady')
    return `what must be so is not: ${failure.checks.map((name) => `${checkWords(name)} (${name})`).join('; ')}`;
  if (failure._tag !== 'InvalidParameter' || failure.fault._tag !== 'Backwards') return detail;
  return `${fieldName(failure.parameter)} is later than ${fieldName(failure.fault.to)}`;
};

/** The one place where a failure becomes what a page shows. */
export const shownFailure = (failure: QueryFailure | StaleForm): ShownFailure => {
  if (failure._tag === 'StaleForm') return SHOWN_STALE_FORM;
  const { code, detail, cause, againInSeconds } = failureWords(failure);
  const { status, title, againInSeconds: usually = null } = problemKind(code);
  return {
    status,
    code,
    title: TITLES[failure._tag] ?? title,
    detail: detailOf(failure, detail),
    cause,
    nextStep: NEXT_STEPS[failure._tag],
    againInSeconds: againInSeconds ?? usually,
  };
};
