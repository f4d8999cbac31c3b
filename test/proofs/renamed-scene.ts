import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import {
  checkpointsSeen,
  lastSignedPosition,
  lookAtKeptLog,
} from '../../src/composition/doctor/look-at-checkpoints.ts';
import { checkpointsToHold, holdLog } from '../../src/composition/commands/verify-log.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { CheckpointsSeen } from '../../src/doctor/checkpoints-check.ts';
import { readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import type { KeeperNews } from '../../src/proofs/keeper-news.ts';
import { right } from '../support/right.ts';
import { IDENTITY, KeeperScene } from './keeper-scene.ts';

/** A log that goes by one name after another, in one data directory. */
export class RenamedScene extends KeeperScene {
  /** What a keeper under a name comes to that is started and closed. */
  readonly keptUnder = async (origin: string): Promise<KeeperNews | undefined> => {
    const keeper = this.open({ ...IDENTITY, origin });
    await keeper.start();
    await keeper.close();
    return this.news.at(-1);
  };

  /** The name that the log goes by once somebody has accepted a loss under a name; undefined where nothing was lost. */
  readonly acceptedUnder = async (origin: string): Promise<string | undefined> => {
    const keeper = this.open({ ...IDENTITY, origin });
    await keeper.start();
    const accepted = keeper.acceptLoss('restored');
    await keeper.close();
    return accepted?.to;
  };

  /** The sizes that were signed under a name. */
  readonly sizes = (origin: string): readonly number[] => readCheckpoints(this.path, origin).map(({ size }) => size);

  /** What `verify` finds under a name. */
  readonly problems = async (origin: string): Promise<readonly string[]> => {
    const env = { DATA_DIR: this.path, HOST: '127.0.0.1', LEDGER_ORIGIN: origin };
    const { config } = right(loadConfig(env, { generate: true, randomBytes }));
    const events = this.log;
    const headers = {
      async *readHeaders() {
        await Promise.resolve();
        yield E.right(events);
      },
    };
    const failures = await holdLog(headers, events.at(-1)?.position ?? null, right(checkpointsToHold(config, null)));
    return right(failures).map(({ problem }) => problem);
  };

  /** What doctor sees under a name. */
  readonly seenUnder = (origin: string): CheckpointsSeen => {
    const kept = lookAtKeptLog({ dataDir: this.path, logIdentity: { ...IDENTITY, origin }, witnesses: [] });
    const signed = this.log.find(({ position }) => position === lastSignedPosition(kept)) ?? null;
    return checkpointsSeen(kept, {
      _tag: 'Read',
      about: 'whole',
      newest: this.log.toReversed(),
      isWhole: true,
      included: null,
      signed,
    });
  };
}
