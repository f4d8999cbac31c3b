import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { isOrderId } from '../domain/ids.ts';
import { evidenceManifest } from '../queries/evidence/evidence-manifest.ts';
import { orderEvidence, type OrderEvidence } from '../queries/evidence/order-evidence.ts';
import { notFound } from '../queries/failure/query-failure.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { commandFailure, failing, type CommandFailure } from './command-failure.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';
import { eventsOf } from './order-argument.ts';
import { outFileOption } from './out-file-option.ts';
import { withLedger } from './with-ledger.ts';
import { writeWhole } from './write-whole.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly out: string; readonly pii?: true; readonly json?: true };

const HELP = `
FILE is a ZIP for a provider, an auditor or a court: the signed bytes and signatures of each event, what proves that they
are in the log, the signed checkpoint, the order as shown, a page that checks all of it without a network, and an
explanation. It holds personal data, so it is written only with --pii. Beside it FILE.manifest.json is written.

Examples:
  ramp-ledger evidence ord-1001 --out ord-1001.zip --pii
  ramp-ledger verify-evidence ord-1001.zip
`;

const evidenceOf = async (ledger: OpenLedger, id: string): Promise<E.Either<CommandFailure, OrderEvidence>> => {
  const events = await eventsOf(ledger, id);
  if (E.isLeft(events)) return events;
  if (!isOrderId(id)) return E.left(commandFailure(notFound('order')));
  const signed = await ledger.signedLog();
  if (E.isLeft(signed)) return signed;
  const { proofs, close } = signed.right;
  try {
    return E.mapLeft(commandFailure)(await orderEvidence({ store: ledger.store, proofs }, id)());
  } finally {
    close();
  }
};

const pieceOf = async function* (bytes: Uint8Array) {
  yield E.right(bytes);
};

const written = async (
  context: CommandContext,
  { out, json }: Options,
  made: OrderEvidence,
): Promise<E.Either<CommandFailure, ExitStatus>> => {
  const manifest = evidenceManifest(made);
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const files = await writeWhole(context, [
    { file: out, pieces: () => pieceOf(made.zip) },
    { file: `${out}.manifest.json`, pieces: () => pieceOf(text) },
  ]);
  if (E.isLeft(files)) return files;
  const { orderId, events, checkpoint, sha256 } = manifest;
  const page = `${soMany(events, 'event')} of order ${cellText(orderId)}, as of the checkpoint of ${soMany(checkpoint.size, 'event')}: ${out}\nSHA-256 ${sha256}\n`;
  context.terminal.out(json === true ? `${JSON.stringify(manifest)}\n` : page);
  return E.right(0);
};

/** `evidence ORDER --out FILE`: all that proves the history of an order, as one ZIP. */
export const evidenceCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('evidence')
    .description('write what proves the history of an order into one ZIP, for somebody who trusts nobody')
    .argument('<order>', 'the order id')
    .addOption(outFileOption('the ZIP to write; FILE.manifest.json is written beside it', 'ord-1001.zip'))
    .option('--pii', 'with the personal data that the signed bytes hold; needed')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', HELP)
    .action(async (id: string, options: Options) => {
      if (options.pii !== true) {
        const line = '--pii: evidence holds the signed bytes, and with them personal data; say that it may';
        exit(statusOf(context.terminal, failing(2, line)));
        return;
      }
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const made = await evidenceOf(ledger, id);
          return E.isLeft(made) ? made : written(context, options, made.right);
        }),
      );
    });
