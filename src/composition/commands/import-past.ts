import { createReadStream, statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Terminal } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { readingTrouble } from '../../cli/file-trouble.ts';
import { inputFault } from '../../cli/input-fault.ts';
import { begun, isNoDeliveries } from '../../cli/not-deliveries.ts';
import { generatedWords } from '../../config/generated-secret.ts';
import { configErrorLine, type Config, type Environment } from '../../config/index.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { openServing, storeExists } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { ImportReport } from '../../ledger/import-report.ts';
import { KnownQuarantine } from '../../ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../ledger/recent-orders.ts';
import { recordKnowingQuarantine } from '../../ledger/record-knowing-quarantine.ts';
import { describeFailure } from '../../ledger/recorded.ts';
import type { OnBuildProgress } from '../../read-models/build-progress.ts';
import { systemClock } from '../../telemetry/system-clock.ts';
import { openStoreBeside } from '../../threads/open-store-beside.ts';
import { importDeliveries } from '../../webhooks/import-deliveries.ts';
import { emptiedStore } from '../emptied-store.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { loadToWrite } from '../load-to-write.ts';
import { newRequestId } from '../new-request-id.ts';
import { provingSecrets } from '../webhook-keys.ts';
import { storeFailure } from '../store-failure.ts';

/** Orders whose next delivery is decided without reading; some 500 bytes each. */
const RECENT_ORDERS = 50_000;

/** Lines between two looks at how far the file is read. */
const TOLD_EVERY = 1_000;

/** The store of a ledger that serves or doesn't; a ledger that there was not is made. */
const openStore = async (config: Config): Promise<E.Either<CommandFailure, EventStore>> => {
  const location = ledgerLocation(config);
  const emptied = await emptiedStore(config);
  if (emptied !== null) return failing(1, troubleLine(emptied));
  if (location.kind === 'sqlite' && !storeExists(location)) {
    const made = await openServing(location);
    if (E.isLeft(made)) return E.left(storeFailure(made.left));
    await made.right.close();
  }
  const opened = await openStoreBeside(location);
  return E.isLeft(opened) ? failing(1, troubleLine(opened.left)) : opened;
};

type Input = { readonly bytes: AsyncIterable<Uint8Array>; readonly share: () => number };

const STANDARD_INPUT = '-';

const unreadableLine = (file: string, error: unknown): string => `${file} can't be read (${readingTrouble(error)})`;

const openInput = ({ input }: Pick<Terminal, 'input'>, file: string): E.Either<CommandFailure, Input> => {
  if (file === STANDARD_INPUT) return E.right({ bytes: input(), share: () => 0 });
  try {
    const fault = inputFault(file);
    if (fault !== null) return failing(1, fault);
    const { size } = statSync(file);
    const stream = createReadStream(file);
    return E.right({ bytes: stream, share: () => Math.min(1, stream.bytesRead / Math.max(1, size)) });
  } catch (error) {
    return failing(1, unreadableLine(file, error));
  }
};

/**
 * Brings past deliveries into the configured ledger, beside one that serves or without (docs/spec/command-line.md,
 * import). Retired secrets prove them too.
 *
 * @param onProgress told of the share of the file, 0 to 1, and the lines so far
 */
export const importPast = async (
  env: Environment,
  terminal: Pick<Terminal, 'input' | 'note'>,
  file: string,
  onProgress: OnBuildProgress,
): Promise<E.Either<CommandFailure, ImportReport>> => {
  const input = openInput(terminal, file);
  if (E.isLeft(input)) return input;
  const { share } = input.right;
  let read: Awaited<ReturnType<typeof begun>>;
  try {
    read = await begun(input.right.bytes);
  } catch (error) {
    return failing(1, unreadableLine(file, error));
  }
  const { beginning, bytes } = read;
  if (isNoDeliveries(beginning)) {
    return failing(
      1,
      `${file === STANDARD_INPUT ? 'standard input' : file} holds no deliveries: none of its lines is a JSON object; a bank file goes to ramp-ledger statement import, an explorer's to ramp-ledger transfers import`,
    );
  }
  const loaded = await loadToWrite(env);
  if (E.isLeft(loaded)) return failing(2, configErrorLine(loaded.left));
  const { config, generatedFiles } = loaded.right;
  for (const generated of generatedFiles) terminal.note(`${generated.file}: ${generatedWords(generated)}\n`);
  const opened = await openStore(config);
  if (E.isLeft(opened)) return opened;
  const store = opened.right;
  try {
    const imported = await importDeliveries({
      settings: config.webhooks,
      secrets: provingSecrets(config.secrets.webhook),
      newRequestId,
      now: systemClock(),
      record: recordKnowingQuarantine({
        store,
        recent: new RecentOrders(RECENT_ORDERS),
        quarantine: new KnownQuarantine(),
      }),
      onLine: (line) => {
        if (line % TOLD_EVERY === 0) onProgress(share(), line);
      },
    })(bytes);
    if (E.isRight(imported)) return imported;
    const { line, failure } = imported.left;
    return failing(1, `line ${line}: ${describeFailure(failure)}; what stands before is recorded, import it again`);
  } catch (error) {
    return failing(1, unreadableLine(file, error));
  } finally {
    await store.close();
  }
};
