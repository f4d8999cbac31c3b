import { createPrivateKey, randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { logFailed, type KeeperNews } from '../proofs/keeper-news.ts';
import { LogKeeper } from '../proofs/log-keeper.ts';
import { writeWitnessStates } from '../proofs/files/witness-states.ts';
import { parseVerifierLine } from '../proofs/signed-note.ts';
import type { Witness, WitnessAnswer } from '../proofs/witness/add-checkpoint.ts';
import type { WitnessState } from '../proofs/witness/witness-state.ts';
import { Witnesses } from '../proofs/witness/witnesses.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { folderLost } from './ledger-location.ts';
import type { ProjectorOptions } from './projector-message.ts';

const ANSWER_WITHIN_MS = 10_000;

/** Asks a witness over HTTP. What it answers beyond a megabyte is no answer. */
const post = async (url: string, body: string): Promise<WitnessAnswer> => {
  const { fetchExchange } = await import('../tokens/fetch-exchange.ts');
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const request = { method: 'POST', url: new URL(url), headers, body } as const;
  const answer = await fetchExchange(request, AbortSignal.timeout(ANSWER_WITHIN_MS))();
  if (E.isRight(answer)) return { status: answer.right.status, body: answer.right.body.toString() };
  throw new Error('detail' in answer.left ? `no answer (${answer.left.detail})` : `no answer (${answer.left._tag})`);
};

const witnessesIn = (written: NonNullable<ProjectorOptions['log']>['witnesses']): readonly Witness[] =>
  written.flatMap(({ line, url }) => {
    const verifier = parseVerifierLine(line, 'cosignature');
    return verifier === null ? [] : [{ verifier, line, url }];
  });

/** Keeps how it stands with each witness where commands find it, and tells it. */
const tellingStates = (
  dataDir: string,
  tell: (news: KeeperNews) => void,
  lost: () => string | null,
): ((state: WitnessState) => void) => {
  const states = new Map<string, WitnessState>();
  return (witness) => {
    states.set(witness.name, witness);
    tell({ _tag: 'Witnessed', witness });
    if (lost() !== null) return;
    try {
      writeWitnessStates(dataDir, [...states.values()]);
    } catch (error) {
      tell(logFailed(error));
    }
  };
};

/** What keeps the log's tree, signs it, and has it cosigned. */
export type LogKeeping = Pick<LogKeeper, 'start' | 'reach' | 'take' | 'doubt' | 'suspectTree' | 'close'>;

/** What is told to the keeper by whoever reads the log. */
export type LogTaking = Pick<LogKeeper, 'start' | 'reach' | 'take' | 'doubt'>;

/**
 * The keeper of the log's tree; null where none is to be kept, or where its files can't be used, which is told.
 *
 * @param giveWay awaited now and then while the log is read
 */
export const openKeeper = (
  { log, location }: ProjectorOptions,
  store: EventStore,
  tell: (news: KeeperNews) => void,
  giveWay: () => Promise<void>,
): LogKeeping | null => {
  if (log === undefined) return null;
  const { dataDir } = location;
  const lost = folderLost(location);
  try {
    const { origin, signingKey, retiredKey, isConfigured = false } = log;
    const retired = retiredKey === null ? null : createPrivateKey(retiredKey);
    const identity = { origin, signingKey: createPrivateKey(signingKey), retiredKey: retired, isConfigured };
    const now = systemClock();
    const told = (news: KeeperNews): void => {
      tell(news);
      if (news._tag === 'LogSigned') witnesses.offer(news);
    };
    const keeper = new LogKeeper({ dataDir, identity, store, now, random: randomBytes, tell: told, giveWay, lost });
    const onState = tellingStates(dataDir, tell, lost);
    const witnesses = new Witnesses(witnessesIn(log.witnesses), { log: keeper, post, onState, now });
    return {
      start: () => keeper.start(),
      reach: (position) => keeper.reach(position),
      take: (before, events) => keeper.take(before, events),
      doubt: () => keeper.doubt(),
      suspectTree: () => keeper.suspectTree(),
      close: async () => {
        await keeper.close();
        witnesses.close();
      },
    };
  } catch (error) {
    tell(logFailed(error));
    return null;
  }
};

/** A subscription whose batches the keeper takes as well, behind whoever reads them: the log is then read once for both. */
export const taking = (subscribe: EventStore['subscribe'], keeper: LogTaking | null): EventStore['subscribe'] =>
  keeper === null
    ? subscribe
    : async function* (after, signal) {
        let last: RecordedEvent | null = null;
        for await (const batch of subscribe(after, signal)) {
          yield batch;
          if (E.isLeft(batch)) continue;
          keeper.take(last, batch.right);
          last = batch.right.at(-1) ?? last;
        }
      };
