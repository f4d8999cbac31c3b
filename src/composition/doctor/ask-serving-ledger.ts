import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import type { Config } from '../../config/index.ts';
import type { ServingState } from '../../doctor/ledger-check.ts';
import type { ToldState } from '../../doctor/told-state.ts';
import { askForState } from '../../event-store/sqlite/append-socket.ts';
import { isDataDirInUse } from '../../event-store/sqlite/data-dir-lock.ts';
import { socketOf } from '../../event-store/sqlite/sqlite-event-store.ts';
import { fetchExchange } from '../../tokens/fetch-exchange.ts';

const ANSWER_WITHIN_MS = 3_000;
const OK = 200;

/** Where a ledger of this configuration answers on this machine; null where that can't be known. */
const addressOf = ({ host, port }: Pick<Config, 'host' | 'port'>): URL | null => {
  if (port === 0) return null;
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/readyz`;
  return URL.canParse(url) ? new URL(url) : null;
};

const Answer = t.type({ threadsDown: t.array(t.string) });

/** An answer of another program, or of a ledger of another version, names none. */
const threadsDownIn = (body: Buffer): readonly string[] => {
  const read = E.tryCatch((): unknown => JSON.parse(body.toString()), String);
  return E.isRight(read) && Answer.is(read.right) ? read.right.threadsDown : [];
};

const Damaged = t.type({ eventsDamaged: t.literal(true) });

const isDamageIn = (body: Buffer): boolean => {
  const read = E.tryCatch((): unknown => JSON.parse(body.toString()), String);
  return E.isRight(read) && Damaged.is(read.right);
};

const OwnAnswer = t.union([t.type({ status: t.literal('ready') }), t.type({ code: t.literal('not-ready') })]);

/** Whether it is what a ledger answers at /readyz (docs/spec/http.md, Health and metrics). */
const isOfLedger = (body: Buffer): boolean => {
  const read = E.tryCatch((): unknown => JSON.parse(body.toString()), String);
  return E.isRight(read) && OwnAnswer.is(read.right);
};

const Told: { readonly is: t.Is<ToldState> } = t.intersection([
  t.type({
    url: t.union([t.string, t.null]),
    ready: t.boolean,
    threadsDown: t.readonlyArray(t.string),
    arrivals: ArrivalsSeen,
  }),
  t.partial({
    problem: t.union([t.string, t.null]),
    eventsDamaged: t.boolean,
    connections: t.type({
      most: t.number,
      usual: t.number,
      openFiles: t.union([t.number, t.null]),
      enoughFiles: t.number,
    }),
    storeWavers: t.union([t.type({ problem: t.string, breaks: t.number, seconds: t.number }), t.null]),
  }),
]);

/** Asks where the configuration says that it answers: a ledger of an older version tells nothing over its socket. */
const askByAddress = async (config: Pick<Config, 'host' | 'port'>): Promise<ServingState> => {
  const url = addressOf(config);
  if (url === null) return { _tag: 'NotAsked' };
  const request = { method: 'GET', url, headers: {}, body: null } as const;
  const answer = await fetchExchange(request, AbortSignal.timeout(ANSWER_WITHIN_MS))();
  if (E.isRight(answer)) {
    const { status, body } = answer.right;
    return {
      _tag: 'Answered',
      url: url.origin,
      status,
      isLedger: isOfLedger(body),
      threadsDown: threadsDownIn(body),
      eventsDamaged: isDamageIn(body),
    };
  }
  return answer.left._tag === 'TimedOut'
    ? { _tag: 'Silent', url: url.origin, withinMs: ANSWER_WITHIN_MS }
    : { _tag: 'NothingThere', url: url.origin };
};

/**
 * No lock is held: a ledger that answers at the configured address serves from another directory, or from one that was taken
 * from under it.
 */
const elsewhere = (state: ServingState): ServingState =>
  state._tag === 'Answered' && state.isLedger
    ? { _tag: 'ServesElsewhere', url: state.url, ready: state.status === OK }
    : { _tag: 'NoneServes' };

/** Looks whether a ledger serves, and asks it whether it could take a delivery and what arrived. */
export const askServingLedger = async (config: Pick<Config, 'host' | 'port' | 'dataDir'>): Promise<ServingState> => {
  const inUse = isDataDirInUse(config.dataDir);
  if (E.isLeft(inUse)) return { _tag: 'Unknown', detail: inUse.left.detail, cure: inUse.left.cure };
  const byAddress = askByAddress(config);
  if (!inUse.right) return elsewhere(await byAddress);
  const told = await askForState(socketOf(config.dataDir), ANSWER_WITHIN_MS);
  if (E.isRight(told)) return Told.is(told.right) ? { _tag: 'Told', state: told.right } : byAddress;
  const state = await byAddress;
  const isUnknown = state._tag === 'NotAsked' || state._tag === 'NothingThere';
  return isUnknown && told.left._tag === 'Late' ? { _tag: 'Silent', url: null, withinMs: ANSWER_WITHIN_MS } : state;
};
