import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { pino } from 'pino';
import { assemble } from '../../src/composition/ledger/assemble.ts';
import { newRequestId } from '../../src/composition/new-request-id.ts';
import { loadConfig } from '../../src/config/index.ts';
import { drawnLineKey } from '../../src/domain/line-key.ts';
import type { AccessLine } from '../../src/http/access-log.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import type { LedgerEnvironment } from './ledger-process.ts';
import { right } from './right.ts';

/** A ledger that serves in this process. */
export type ServedHere = {
  /** Where it answers. */
  readonly url: string;
  /** Ends it as a signal does; a second time changes nothing. */
  readonly stop: () => Promise<void>;
  /** What it has logged so far. */
  readonly out: () => string;
  /** A line for each request that it answered, as its access log has them. */
  readonly requests: () => readonly AccessLine[];
};

/**
 * Serves an environment in this process, as `ledgerProcesses` serves it in one of its own, at half the cost: what is tested
 * by it is what a ledger that serves answers and leaves behind, and not how the program starts, prints and is told to end.
 */
export const serveHere = async (env: LedgerEnvironment): Promise<ServedHere> => {
  const { config } = right(loadConfig({ HOST: '127.0.0.1', PORT: '0', ...env }, { generate: true, randomBytes }));
  let out = '';
  const requests: AccessLine[] = [];
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      out += chunk.toString();
      done();
    },
  });
  const ledger = right(
    await assemble(config, {
      now: systemClock(),
      newRequestId,
      openFiles: null,
      drawLineKey: () => drawnLineKey(randomBytes),
      secrets: () => config.secrets,
      log: pino({ base: null, level: config.logLevel }, log),
      onRequest: (line) => void requests.push(line),
      onCutOff: () => undefined,
    }),
  );
  const started = await ledger.start(() => undefined);
  if (E.isLeft(started)) await ledger.stop();
  const url = right(started);
  let stopped: Promise<void> | null = null;
  return { url, out: () => out, requests: () => requests, stop: () => (stopped ??= ledger.stop()) };
};
