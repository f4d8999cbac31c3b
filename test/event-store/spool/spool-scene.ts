import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { VerifiedDelivery } from '../../../src/domain/delivery.ts';
import type { RequestId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import type { HeldFile } from '../../../src/event-store/kept-place.ts';
import type { SetAsideNote, Spool, SpooledDelivery } from '../../../src/event-store/spool.ts';
import type { SpoolOptions } from '../../../src/event-store/spool/sqlite-spool.ts';
import { verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { openSpoolHere } from '../../support/spool-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export const NOTE: SetAsideNote = { problem: 'its stream was deleted', at: instantOf(Date.UTC(2023, 2, 1, 8)) };

/** The n-th delivery: a body, a received time and a request of its own. */
export const delivery = (n: number, body = `body ${n}`): VerifiedDelivery =>
  verifiedDelivery(Buffer.from(body), {
    receivedAt: instantOf(Date.UTC(2023, 2, 1, 6) + n),
    requestId: branded<RequestId>(`request-${String(n).padStart(8, '0')}`),
  });

export type SpoolScene = {
  readonly file: string;
  /** The spool that is open. */
  readonly spool: () => Spool;
  /** Closes it and opens it again, perhaps with other options. */
  readonly reopen: (over?: SceneOptions) => Promise<Spool>;
  /** A second passes, and what the spool does then is done. */
  readonly pass: () => Promise<void>;
  /** Takes out all that waits; in order of arrival. */
  readonly drain: () => Promise<readonly SpooledDelivery[]>;
  readonly end: () => Promise<void>;
};

/** The first that waits of the key that began to wait first; null where none waits. */
export const firstIn = async (spool: Spool): Promise<SpooledDelivery | null> => {
  for (const key of spool.keys()) {
    const first = right(await spool.firstOf(key)());
    if (first !== null) return first;
  }
  return null;
};

/** As `firstIn`; where none waits, the test fails. */
export const theFirst = async (spool: Spool): Promise<SpooledDelivery> => {
  const first = await firstIn(spool);
  if (first === null) throw new Error('nothing waits');
  return first;
};

/** What a test may be told of a spool's disk besides, and what keeps other ledgers out. */
type SceneOptions = Partial<SpoolOptions> & { readonly locks?: readonly HeldFile[] };

/** Enough for all that a spool does by itself in a thread of its own. */
export const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
};

/** A spool in a folder of its own, and in this thread, on a clock that a test moves. */
export const spoolScene = async (options: SceneOptions = {}): Promise<SpoolScene> => {
  const folder = temporaryFolder();
  const file = `${folder.path}/spool.db`;
  let tick: () => void = () => undefined;
  const everySecond = (call: () => void): (() => void) => {
    tick = call;
    return () => {
      tick = () => undefined;
    };
  };
  const open = async (over: SceneOptions): Promise<Spool> => {
    const { locks = [], ...its } = { ...options, ...over };
    return right(await openSpoolHere(file, { everySecond, ...its }, locks));
  };
  let spool = await open({});
  return {
    file,
    spool: () => spool,
    reopen: async (over = {}) => {
      await spool.close();
      spool = await open(over);
      return spool;
    },
    pass: async () => {
      tick();
      await turns();
    },
    drain: async () => {
      const all: SpooledDelivery[] = [];
      for (let first = await firstIn(spool); first !== null; first = await firstIn(spool)) {
        all.push(first);
        spool.done(first);
      }
      return all.toSorted((a, b) => a.seq - b.seq);
    },
    end: async () => {
      await spool.close();
      folder.remove();
    },
  };
};

/** The failure of a result; a success fails the test. */
export const left = <A>(result: E.Either<A, unknown>): A => {
  if (E.isLeft(result)) return result.left;
  throw new Error(`expected a failure, got ${JSON.stringify(result.right)}`);
};
