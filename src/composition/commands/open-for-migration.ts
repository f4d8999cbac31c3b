import { readdirSync, rmSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { MigrationStores, MigrationUrls } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { wait } from '../../concurrency/wait.ts';
import { configErrorLine, eventStoreNamed, type Config, type Environment } from '../../config/index.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { placeOfFile } from '../../event-store/place-of-file.ts';
import { openEventStoreDbServing } from '../../event-store/eventstoredb/eventstoredb-event-store.ts';
import { lockDataDir } from '../../event-store/sqlite/data-dir-lock.ts';
import { openServing } from '../../event-store/sqlite/sqlite-event-store.ts';
import { openStoreBeside } from '../../threads/open-store-beside.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import { commandConfig } from './command-config.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { positionNumber } from '../../domain/position.ts';

type Failable<A> = E.Either<CommandFailure, A>;

/** Appends to SQLite that share commits: it takes them in the order of sending, and none behind one that failed. */
const SQLITE_IN_FLIGHT = 256;

type Location = Config['eventStore'];

const named = (env: Environment, option: '--from' | '--to', url: string | null, config: Config): Failable<Location> =>
  url === null
    ? E.right(config.eventStore)
    : E.mapLeft((error: Parameters<typeof configErrorLine>[0]): CommandFailure => ({
        status: 2,
        line: configErrorLine(error),
      }))(eventStoreNamed(env, option, url, config.dataDir));

/** The nodes that a connection string names, with their ports. */
const nodesOf = (url: string): readonly string[] =>
  (/^[^:]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url)?.[1] ?? '')
    .toLowerCase()
    .split(',')
    .map((node) => (node.includes(':') ? node : `${node}:2113`));

/** Whether two URLs lead to one store; both have the same stream prefix. */
const isSameStore = (one: Location, other: Location): boolean => {
  if (one.kind === 'sqlite') return other.kind === 'sqlite' && placeOfFile(one.file) === placeOfFile(other.file);
  if (other.kind === 'sqlite') return false;
  const nodes = nodesOf(one.url);
  return nodesOf(other.url).some((node) => nodes.includes(node));
};

type Target = { readonly store: EventStore; readonly inFlight: number; readonly release: () => void };

/** Takes a data directory away, unless another migration has it, or somebody put something else there. */
const removeDataDir = (dataDir: string): void => {
  const lock = lockDataDir(dataDir);
  if (E.isLeft(lock)) return;
  if (readdirSync(dataDir).every((name) => name.startsWith('ledger.'))) rmSync(dataDir, { recursive: true });
  lock.right.release();
};

/** A data directory of its own: the file is locked like that of a ledger that serves, whose own directory may be elsewhere. */
const openSqliteTarget = async (file: string): Promise<Failable<Target>> => {
  const dataDir = `${file}.migration`;
  const opened = await openServing({ file, dataDir });
  if (E.isLeft(opened)) {
    removeDataDir(dataDir);
    return failing(1, `the target can't be used: ${troubleLine(opened.left)}`);
  }
  return E.right({ store: opened.right, inFlight: SQLITE_IN_FLIGHT, release: () => removeDataDir(dataDir) });
};

const openTarget = async (
  location: LedgerLocation,
  option: string,
  isConfigured: boolean,
): Promise<Failable<Target>> => {
  if (location.kind === 'sqlite') return openSqliteTarget(location.file);
  // Of a server it can't be known who else writes to it, but a ledger of this configuration can be kept away.
  const lock = isConfigured ? lockDataDir(location.dataDir) : E.right({ release: () => undefined });
  if (E.isLeft(lock)) return failing(1, `the target can't be used: ${troubleLine(lock.left)}`);
  const opened = await openEventStoreDbServing(location, { onEvents: () => undefined, onState: () => undefined });
  if (E.isRight(opened)) return E.right({ store: opened.right, inFlight: 1, release: lock.right.release });
  lock.right.release();
  return failing(2, `${option}: ${troubleLine(opened.left)}`);
};

/**
 * Opens two stores for `migrate`: the source as a command reads it, beside a ledger that serves, and the target for this
 * process alone. Where neither is named, or both are one store, the usage is wrong.
 */
export const openForMigration = async (
  env: Environment,
  { from, to }: MigrationUrls,
): Promise<Failable<MigrationStores>> => {
  const loaded = commandConfig(env);
  if (E.isLeft(loaded)) return loaded;
  const config = loaded.right;
  const source = named(env, '--from', from, config);
  if (E.isLeft(source)) return source;
  const target = named(env, '--to', to, config);
  if (E.isLeft(target)) return target;
  if (isSameStore(source.right, target.right)) {
    return failing(
      2,
      '--from and --to lead to the same store; name another one (the one left out is the configured store)',
    );
  }
  const opened = await openStoreBeside(ledgerLocation({ ...config, eventStore: source.right }));
  if (E.isLeft(opened)) return failing(1, `the source can't be used: ${troubleLine(opened.left)}`);
  const isConfigured = isSameStore(target.right, config.eventStore);
  const writable = await openTarget(ledgerLocation({ ...config, eventStore: target.right }), '--to', isConfigured);
  if (E.isLeft(writable)) {
    await opened.right.close();
    return writable;
  }
  const { store, inFlight, release } = writable.right;
  return E.right({
    source: opened.right,
    target: store,
    inFlight,
    pause: wait,
    // Positions grow along the log, and in an EventStoreDB with its bytes: they say well how far one is.
    shareOf: (position, last) => Math.min(1, positionNumber(position) / Math.max(1, positionNumber(last))),
    close: async () => {
      await opened.right.close();
      await store.close();
      release();
    },
  });
};
