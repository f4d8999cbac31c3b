import { describeFailure } from '../../ledger/recorded.ts';
import type { NotFound, Overloaded, ParameterFault, QueryFailure } from './query-failure.ts';

/** What a failure is called and how it is told. */
export type FailureWords = {
  /** Stable; what callers branch on. */
  readonly code:
    | 'invalid-parameter'
    | 'forbidden'
    | 'unauthorized'
    | 'not-found'
    | 'rate-limited'
    | 'internal-error'
    | 'unreadable-event'
    | 'statement-unreadable'
    | 'store-unavailable'
    | 'history-lost'
    | 'behind'
    | 'not-durable'
    | 'period-not-ready'
    | 'already-closed'
    | 'period-too-large'
    | 'decision-too-large'
    | 'not-closed'
    | 'later-period-closed'
    | 'already-released'
    | 'overloaded';
  /** For whoever asked: what is wrong and with what; no personal data. */
  readonly detail: string;
  /** For operators only: what lies behind it; null: nothing that they must know. */
  readonly cause: string | null;
  /** How soon it is worth asking again, in seconds; null: as the code has it. */
  readonly againInSeconds: number | null;
};

const STORE_AWAY = 'the event store is away; ask again';

const told = (code: FailureWords['code'], detail: string, cause: string | null = null): FailureWords => ({
  code,
  detail,
  cause,
  againInSeconds: null,
});

const didYouMean = (words: readonly string[]): string =>
  words.length === 0 ? '' : ` (did you mean ${words.join(', ')}?)`;

/** What is wrong with a parameter, to be said after its name: `expected a business day`. */
export const faultText = (fault: ParameterFault): string => {
  switch (fault._tag) {
    case 'Unknown':
      return `is not known here${didYouMean(fault.meant === null ? [] : [fault.meant])}`;
    case 'Repeated':
      return 'came more than once';
    case 'IllFormed':
      return `expected ${fault.expected}${didYouMean(fault.meant)}`;
    case 'Backwards':
      return `is later than ${fault.to}`;
    case 'Foreign':
      break;
  }
  return `is none that this ${fault.to} has given`;
};

export const tooManyRowsText = (most: number): string =>
  `xlsx holds ${most} rows, and there are more; take csv, or narrow it down by filters`;

export const tooFarText = (most: number): string =>
  `more than ${most} orders have events between this moment and now, and between the first event and it; lists are made of fewer: take a moment nearer to now or to the first event, or ask for a report`;

/** Long enough for every name that is known, so that an answer never repeats a page of text. */
const LONGEST_NAME = 64;

const ABSENT: Readonly<Record<NotFound['what'], string>> = {
  period: 'there is no such month: it lies before the first figures, or is still to come',
  address: 'there is nothing at this address',
  order: 'there is no such order',
  revision: 'the order has no such revision',
  'quarantined delivery': 'there is no such delivery in quarantine',
  event: 'there is no such event in the log of this size',
  tile: 'the log has no such tile',
  item: 'the match has no such item now; what it has become has another id',
  decision: 'nothing was decided here that could be taken back',
  statement: 'no such bank file was imported',
};

const OVERLOAD: Readonly<Record<Overloaded['by'], string>> = {
  questions: 'too many questions are being answered now; ask again',
  exports: 'as many exports are under way as this ledger makes at a time; ask again',
  'bank files': 'as many bank files are taken in as this ledger reads at a time; ask again',
  imports:
    'another process is importing a bank file into this ledger, and has not come to its end; send the file again',
  'live streams': 'as many live streams are open as this ledger serves; ask again',
};

/** The code and the sentences of a failure, the same for everybody who may ask. */
export const failureWords = (failure: QueryFailure): FailureWords => {
  switch (failure._tag) {
    case 'InvalidParameter': {
      const name = failure.parameter.slice(0, LONGEST_NAME).toWellFormed();
      return told('invalid-parameter', `${name}: ${faultText(failure.fault)}`);
    }
    case 'MomentTooFar':
      return told('invalid-parameter', `asOf: ${tooFarText(failure.most)}`);
    case 'TooManyRows':
      return told('invalid-parameter', `format: ${tooManyRowsText(failure.most)}`);
    case 'Forbidden':
      return told('forbidden', `the API key lacks the scope ${failure.scope}`);
    case 'AccessEnded':
      return told(
        'unauthorized',
        'this API key is not valid any more, or has lost a scope, since this was asked; no answer is given',
      );
    case 'NotFound':
      return told('not-found', ABSENT[failure.what]);
    case 'StoreUnavailable':
      return told('store-unavailable', STORE_AWAY, failure.detail);
    case 'ReadModelsBehind':
      return told('behind', 'the read models do not include this position yet; ask again', failure.detail);
    case 'ReadModelsUnavailable':
      if (failure.isStoreAway === true) return told('store-unavailable', STORE_AWAY, failure.detail);
      return failure.isFar === true
        ? told('behind', 'the moment lies far back in the log, and its answer is still being made; ask again')
        : told(
            'behind',
            'the read models can not be asked now; ask again',
            // Callers hang up whenever they like: that is nothing for operators.
            failure.isUnawaited === true ? null : failure.detail,
          );
    case 'ProofsBehind':
      return told('behind', 'no checkpoint includes this yet; ask again', failure.detail);
    case 'HistoryLost':
      return told(
        'history-lost',
        'the log does not contain a checkpoint that this ledger signed; nothing more is proven or signed',
        failure.detail,
      );
    case 'UnreadableEvent': {
      const detail = `event ${failure.revision} of stream ${failure.stream} can't be read: ${failure.problem}`;
      return told('unreadable-event', detail, detail);
    }
    case 'StatementUnreadable': {
      const place = failure.line === null ? '' : `line ${failure.line}, `;
      return told('statement-unreadable', `${place}${failure.field}: ${failure.detail}`);
    }
    case 'FileFailed':
      return told('not-durable', 'the file could not be read and kept now; nothing of it counts', failure.detail);
    case 'NotRecorded':
      return failure.failure._tag === 'RacesLost'
        ? told(
            'overloaded',
            'others were always faster to write to the same place; ask again',
            describeFailure(failure.failure),
          )
        : told('not-durable', 'it could not be made durable; ask again', describeFailure(failure.failure));
    case 'StreamFailed':
      return told('store-unavailable', 'what is asked for can not be read now; ask again', failure.detail);
    case 'StreamsEnded':
      return told('store-unavailable', 'what is asked for can not be read now', failure.detail);
    case 'WorkbookUnwritable':
      return told('internal-error', 'the workbook can not be written; export csv or ndjson', failure.detail);
    case 'AskerGone':
      return told('behind', 'the caller has gone before the answer was made');
    case 'PeriodAlreadyClosed':
      return told('already-closed', 'the month is closed already');
    case 'PeriodNotClosed':
      return told('not-closed', 'the month is open');
    case 'LaterPeriodClosed':
      return told(
        'later-period-closed',
        `only the latest closed month can be opened again: ${failure.period} is closed`,
      );
    case 'PeriodTooLarge':
      return told(
        'period-too-large',
        'the figures of the month, in all their currencies, tokens and statuses, come to more than the 1 MiB that an event may have; its report goes on being that of now',
      );
    case 'DecisionTooLarge':
      return told(
        'decision-too-large',
        `the names of the ${failure.members} orders, lines and transfers that it is about come to more than the 1 MiB that an event may have; nothing was recorded`,
      );
    case 'PeriodNotReady':
      return told('period-not-ready', `not well: ${failure.checks.join(', ')}; see readiness, or name them in despite`);
    case 'QuarantinedReleased':
      return told('already-released', 'the delivery was released, and is part of its order');
    case 'QuarantinedClosed':
      return told('already-closed', 'the delivery is closed already, with another note');
    case 'QuarantinedNotClosed':
      return told('not-closed', 'the delivery is not closed');
    case 'Overloaded':
      return { ...told('overloaded', OVERLOAD[failure.by]), againInSeconds: failure.by === 'questions' ? 1 : null };
    case 'RateLimited':
      break;
  }
  return {
    ...told('rate-limited', `this API key may ask ${failure.perMinute} times a minute; ask again later`),
    againInSeconds: Math.max(1, Math.ceil(failure.msBeforeNext / 1000)),
  };
};
