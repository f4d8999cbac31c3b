import type { CommandContext, Terminal } from '../../cli/command-context.ts';
import type { Environment } from '../../config/index.ts';
import { systemClock } from '../../telemetry/system-clock.ts';
import { newRequestId } from '../new-request-id.ts';

const now = systemClock();

/**
 * What commands are given, by an environment. What a command stands on is loaded with it: half of the time that a command
 * takes to start is loading, and most of it would be what it does not use.
 */
export const commandContext = (env: Environment, terminal: Terminal): CommandContext => ({
  terminal,
  now,
  newRequestId,
  beginDraft: async (out) => (await import('./begin-draft.ts')).beginDraft(out),
  outFault: async (file) => (await import('./out-fault.ts')).outFault(env, file),
  openLedger: async () => (await import('./open-ledger.ts')).openLedger(env),
  openForMigration: async (urls) => (await import('./open-for-migration.ts')).openForMigration(env, urls),
  backUp: async (out, onProgress) => (await import('./back-up.ts')).backUpLedger(env, terminal, out, onProgress),
  restore: async (request) => (await import('./restore.ts')).restoreLedger(env, terminal, request),
  importPast: async (file, onProgress) =>
    (await import('./import-past.ts')).importPast(env, terminal, file, onProgress),
  openChains: async () => (await import('./open-chains.ts')).openChains(env),
  openUpstream: async () => (await import('./open-upstream.ts')).openUpstream(env),
  diagnose: async () => (await import('../doctor/diagnose.ts')).diagnose(env, now),
  serve: async () => (await import('./serve.ts')).serve(env),
  sandbox: async (options) => (await import('../sandbox/serve-sandbox.ts')).serveSandbox(env, options),
  demo: async () => (await import('../demo/demo.ts')).demo(env),
});
