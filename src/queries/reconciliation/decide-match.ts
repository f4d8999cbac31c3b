import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { factsOf } from '../../../projections/match/decided-facts.ts';
import { decisionScope, DECISIONS, type DecisionKind } from '../../../projections/match/decision.ts';
import type { ItemId } from '../../../projections/match/item-id.ts';
import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { fitsEveryStore } from '../../domain/new-event.ts';
import { MATCH_DECIDED, type MatchDecidedData } from '../../domain/own-event/match-events.ts';
import { ownEvent, readOwnEvent, type OwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { ownStream } from '../../domain/ids.ts';
import type { EventHeader } from '../../domain/recorded-event.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import { decidedInTurn } from '../decided-in-turn.ts';
import { illFormed, notFound, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { noteFault } from '../note.ts';
import { oneOfWords, text } from '../resources/values.ts';
import { DecisionResource } from './match-item-resource.ts';

/** Names that a decision may give at the most. */
const MOST_NAMED = 1_000;

/** What somebody decides. */
export const DecisionBody = t.intersection(
  [
    t.type({ decision: oneOfWords(DECISIONS, 'What is decided.') }),
    t.partial({ with: t.readonlyArray(t.string), note: t.string }),
  ],
  'DecisionBody',
);

export type DecisionBody = t.TypeOf<typeof DecisionBody>;

/** What a decision is answered with; `decision` is null where it was taken back. */
export const DecidedResource = t.strict(
  {
    itemId: text('The item that was decided on; what it has become may have another id.'),
    decision: t.union([DecisionResource, t.null]),
    position: text('What includes this position includes the decision.'),
  },
  'MatchDecided',
);

export type DecidedResource = t.TypeOf<typeof DecidedResource>;

type Deps = Pick<QueryDependencies, 'store' | 'readModels'>;

/** An item of thousands of members takes some milliseconds in each step: others in this thread have their turn behind one. */
const othersTurn = <L, A>(step: TE.TaskEither<L, A>): TE.TaskEither<L, A> =>
  pipe(
    step,
    TE.chainFirstTaskK(() => () => turn()),
  );

type Decided = Extract<OwnEvent, { readonly _tag: 'MatchDecided' }>;

/** What stands last in an item's stream. What can't be read is no decision, and yet what the next one comes behind. */
type Newest = { readonly head: EventHeader | null; readonly decided: Decided | null };

/** What was decided of an item last. Those before are not read: each names all members of the item, of which there may be ten thousand. */
const newest = ({ store }: Deps, itemId: ItemId): TE.TaskEither<QueryFailure, Newest> =>
  pipe(
    store.lastOfStream(ownStream('match', itemId)),
    TE.map((head): Newest => {
      const read = head === null ? null : readOwnEvent(head);
      const isDecision = read !== null && E.isRight(read) && read.right._tag === 'MatchDecided';
      return { head, decided: isDecision ? read.right : null };
    }),
    othersTurn,
  );

type Done = { readonly data: MatchDecidedData; readonly by: string; readonly at: Instant; readonly position: Position };

const isSame = (a: MatchDecidedData, b: MatchDecidedData): boolean =>
  a.decision === b.decision &&
  a.note === b.note &&
  a.group.length === b.group.length &&
  JSON.stringify({ ...a, after: null }) === JSON.stringify({ ...b, after: null });

/** Whether somebody may be told that a decision is the same again: another key may not read its note, and could try guesses. */
const mayKnow = ({ data, metadata }: Decided, { by }: Author): boolean => data.note === '' || metadata.by === by;

/** Appends what was decided, unless it is what holds already: then that is the answer. */
const append = (
  deps: Deps,
  itemId: ItemId,
  content: Omit<MatchDecidedData, 'after' | 'itemId'>,
  author: Author,
): TE.TaskEither<QueryFailure, Done> =>
  decidedInTurn(
    deps.store,
    ownStream('match', itemId),
    pipe(
      newest(deps, itemId),
      TE.chain(({ head, decided: last }): TE.TaskEither<QueryFailure | AppendError, Done> => {
        const data: MatchDecidedData = { itemId, ...content, after: head?.id ?? null };
        if (last !== null && isSame(last.data, data) && mayKnow(last, author)) {
          const { metadata, recorded } = last;
          return TE.right({ data, by: metadata.by, at: metadata.receivedAt, position: recorded.position });
        }
        const decided = ownEvent(MATCH_DECIDED, data, author);
        // Refused by every store alike, so that a ledger can move to any.
        if (!fitsEveryStore(decided.event))
          return TE.left({ _tag: 'DecisionTooLarge', members: data.group.length + data.apart.length });
        return pipe(
          appendOwn(deps.store, head?.revision ?? 'none', [decided]),
          TE.map(({ position }) => ({ data, by: author.by, at: author.at, position })),
        );
      }),
    ),
  );

/** The answer to a decision; its position is one of the log's. */
type DecisionAnswer = DecidedResource & Pick<Done, 'position'>;

const answered = (itemId: ItemId, { data, by, at, position }: Done): DecisionAnswer => ({
  itemId,
  decision:
    data.decision === 'withdrawn' ? null : { decision: data.decision, with: data.with, note: data.note, by, at },
  position,
});

const faultOf = ({ with: named = [], note = '' }: DecisionBody): QueryFailure | null => {
  if (named.length > MOST_NAMED) return illFormed('with', `at most ${MOST_NAMED} ids`);
  return noteFault(note);
};

/** Decides on an item that is there now (docs/spec/match.md, Decisions). */
export const decideMatch =
  (deps: Deps, author: Author) =>
  (itemId: ItemId, body: DecisionBody): TE.TaskEither<QueryFailure, DecisionAnswer> => {
    const fault = faultOf(body);
    if (fault !== null) return TE.left(fault);
    const { decision, with: ids = [], note = '' } = body;
    return pipe(
      deps.readModels.matchDecidable({ itemId, ids }),
      TE.mapLeft((failure): QueryFailure => failure),
      TE.chain(({ item, named, facts }) => {
        if (item === null) return repeated(deps, itemId, { decision, with: ids, note }, author);
        const found = named.flatMap((it) => (it === null ? [] : [it]));
        const missing = ids.find((_, i) => named[i] === null);
        if (missing !== undefined)
          return TE.left(illFormed('with', 'ids of lines, orders and transfers that are there'));
        const companions = new Map(found.map((it) => [it.name, it.companions]));
        const scope = decisionScope(
          decision,
          item.members,
          found.map(({ name }) => name),
          (name) => companions.get(name) ?? [],
        );
        const group = new Set(scope.group);
        const decidedFacts = factsOf(facts.filter(([name]) => group.has(name)));
        return append(deps, itemId, { decision, with: ids, note, ...scope, facts: decidedFacts }, author);
      }),
      TE.map((done) => answered(itemId, done)),
    );
  };

/** An item is gone by a decision that joined or parted it: the same decision again by the same key is answered as the first time. */
const repeated = (
  deps: Deps,
  itemId: ItemId,
  {
    decision,
    with: ids,
    note,
  }: { readonly decision: DecisionKind; readonly with: readonly string[]; readonly note: string },
  author: Author,
): TE.TaskEither<QueryFailure, Done> =>
  pipe(
    newest(deps, itemId),
    TE.chain(({ decided: last }) => {
      const isIt =
        last?.metadata.by === author.by &&
        last.data.decision === decision &&
        last.data.note === note &&
        JSON.stringify(last.data.with) === JSON.stringify(ids);
      if (last === null || !isIt) return TE.left(notFound('item'));
      const { data, metadata, recorded } = last;
      return TE.right({ data, by: metadata.by, at: metadata.receivedAt, position: recorded.position });
    }),
  );

/** Takes back what was decided on an item, by its id then or by that of what it has become. */
export const undecideMatch =
  (deps: Deps, author: Author) =>
  (itemId: ItemId): TE.TaskEither<QueryFailure, DecisionAnswer> => {
    const nothing = { with: [], note: '', group: [], apart: [] };
    return pipe(
      deps.readModels.matchDecidable({ itemId, ids: [] }),
      TE.mapLeft((failure): QueryFailure => failure),
      TE.bindTo('decidable'),
      TE.bind('own', () => newest(deps, itemId)),
      TE.chain(({ decidable, own }) => {
        const isDecided = own.decided !== null && own.decided.data.decision !== 'withdrawn';
        const of = isDecided ? itemId : decidable.decision?.itemId;
        return of === undefined
          ? TE.left(notFound('decision'))
          : append(deps, of, { decision: 'withdrawn', ...nothing }, author);
      }),
      TE.map((done) => answered(itemId, done)),
    );
  };
