import fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import type { Revision, StreamName } from '../../../src/domain/ids.ts';
import type { ParameterFault, QueryFailure } from '../../../src/queries/failure/query-failure.ts';
import { anyCharacter } from '../../support/any-character.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 80 });
const stream = text.map((name) => branded<StreamName>(`order-${name}`));
const revision = fc.nat().map((n) => branded<Revision>(n));

const tag = <Tag extends string>(name: Tag): { readonly _tag: fc.Arbitrary<Tag> } => ({ _tag: fc.constant(name) });

const fault: fc.Arbitrary<ParameterFault> = fc.oneof(
  fc.record({ ...tag('Unknown'), meant: fc.option(text) }),
  fc.record(tag('Repeated')),
  fc.record({ ...tag('IllFormed'), expected: text, meant: fc.array(text, { maxLength: 3 }) }),
  fc.record({ ...tag('Foreign'), to: fc.constantFrom('list' as const, 'ledger' as const) }),
);

type OfTag<Tag extends QueryFailure['_tag']> = fc.Arbitrary<Extract<QueryFailure, { readonly _tag: Tag }>>;

/** Failures of each kind, with any texts in them. */
const KINDS: { readonly [Tag in QueryFailure['_tag']]: OfTag<Tag> } = {
  InvalidParameter: fc.record({ ...tag('InvalidParameter'), parameter: text, fault }),
  TooManyRows: fc.record({ ...tag('TooManyRows'), most: fc.nat() }),
  MomentTooFar: fc.record({ ...tag('MomentTooFar'), most: fc.nat() }),
  Forbidden: fc.record({ ...tag('Forbidden'), scope: text, parameter: fc.option(text) }),
  AccessEnded: fc.record(tag('AccessEnded')),
  NotFound: fc.record({
    ...tag('NotFound'),
    what: fc.constantFrom('address', 'order', 'revision', 'quarantined delivery', 'event', 'tile', 'statement'),
  }),
  StoreUnavailable: fc.record({ ...tag('StoreUnavailable'), detail: text }),
  ReadModelsBehind: fc.record({ ...tag('ReadModelsBehind'), detail: text }),
  ReadModelsUnavailable: fc.record({ ...tag('ReadModelsUnavailable'), detail: text }),
  UnreadableEvent: fc.record({ ...tag('UnreadableEvent'), stream, revision, problem: text }),
  ProofsBehind: fc.record({ ...tag('ProofsBehind'), detail: fc.option(text) }),
  HistoryLost: fc.record({ ...tag('HistoryLost'), detail: text }),
  NotRecorded: fc.record({
    ...tag('NotRecorded'),
    failure: fc.oneof(
      fc.record({ ...tag('StoreUnavailable'), detail: text }),
      fc.record({ ...tag('AppendRefused'), detail: text }),
      fc.record({ ...tag('RacesLost'), stream }),
    ),
  }),
  StatementUnreadable: fc.record({
    ...tag('StatementUnreadable'),
    line: fc.option(fc.nat()),
    field: text,
    detail: text,
  }),
  FileFailed: fc.record({ ...tag('FileFailed'), detail: text }),
  StreamFailed: fc.record({ ...tag('StreamFailed'), detail: text }),
  StreamsEnded: fc.record({ ...tag('StreamsEnded'), detail: text }),
  WorkbookUnwritable: fc.record({ ...tag('WorkbookUnwritable'), detail: text }),
  AskerGone: fc.record(tag('AskerGone')),
  PeriodAlreadyClosed: fc.record(tag('PeriodAlreadyClosed')),
  PeriodNotClosed: fc.record(tag('PeriodNotClosed')),
  LaterPeriodClosed: fc.record({ ...tag('LaterPeriodClosed'), period: text }),
  PeriodTooLarge: fc.record(tag('PeriodTooLarge')),
  DecisionTooLarge: fc.record({ ...tag('DecisionTooLarge'), members: fc.nat() }),
  PeriodNotReady: fc.record({ ...tag('PeriodNotReady'), checks: fc.array(text) }),
  QuarantinedReleased: fc.record(tag('QuarantinedReleased')),
  QuarantinedClosed: fc.record(tag('QuarantinedClosed')),
  QuarantinedNotClosed: fc.record(tag('QuarantinedNotClosed')),
  Overloaded: fc.record({
    ...tag('Overloaded'),
    by: fc.constantFrom('questions', 'exports', 'live streams', 'bank files'),
  }),
  RateLimited: fc.record({ ...tag('RateLimited'), perMinute: fc.nat(), msBeforeNext: fc.nat() }),
};

/** Failures of any kind. */
export const failures: fc.Arbitrary<QueryFailure> = fc.oneof(...Object.values(KINDS));
