import type { KeyObject } from 'node:crypto';
import type { Config, Secrets } from '../../config/index.ts';
import type { OnThreadState } from '../../threads/lasting-thread.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import type { ProjectorOptions } from '../../threads/projector-message.ts';
import { startReadModels, type ReadModelsEvents, type ThreadedReadModels } from '../../threads/threaded-read-models.ts';
import { startStreams, type ThreadedStreams } from '../../threads/threaded-streams.ts';
import { ledgerNameOf } from '../ledger-name.ts';
import { keysForThread } from '../webhook-keys.ts';

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' });

/** What the thread that keeps the tree of the log signs with. */
const signing = ({ logIdentity, witnesses }: Config): Pick<ProjectorOptions, 'log'> =>
  logIdentity === null
    ? {}
    : {
        log: {
          origin: logIdentity.origin,
          signingKey: pemOf(logIdentity.signingKey),
          retiredKey: logIdentity.retiredKey === null ? null : pemOf(logIdentity.retiredKey),
          isConfigured: logIdentity.isConfigured ?? false,
          witnesses: witnesses.map(({ line, url }) => ({ line, url })),
        },
      };

/** Starts the threads that build and read the read models, keep the tree of the log and sign it. */
export const readModelsOf = (
  config: Config,
  location: LedgerLocation,
  onEvent: ReadModelsEvents,
  onState: OnThreadState,
  storeAway: () => string | null,
): ThreadedReadModels => {
  const name = ledgerNameOf(config);
  return startReadModels(
    {
      location,
      readModelFile: config.readModel.file,
      timeZone: config.businessTimeZone,
      matchSettings: config.match.settings,
      ...(name === null ? {} : { name }),
      ...signing(config),
    },
    onEvent,
    onState,
    storeAway,
  );
};

/** Starts the thread that gives exports and live events. */
export const streamsOf = (
  config: Config,
  location: LedgerLocation,
  { floor }: ThreadedReadModels,
  secrets: () => Secrets,
  onState: OnThreadState,
): ThreadedStreams =>
  startStreams({ location, readModelFile: config.readModel.file, floor }, () => keysForThread(secrets()), onState);
