import { extname } from 'node:path';
import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { businessCalendar } from '../domain/business-day.ts';
import { directExporter, type OpenDirectExport } from '../queries/exports/direct-exporter.ts';
import { manifestResource, type ExportManifest } from '../queries/exports/export-manifest.ts';
import {
  AUDIT_EXPORT,
  EVENTS_EXPORT,
  ORDERS_EXPORT,
  parseExport,
  RECONCILIATION_EXPORT,
  withMoment,
  type AskedExport,
  type ExportQuestion,
} from '../queries/exports/export-questions.ts';
import { EXPORT_FORMATS, EXPORT_KINDS, type ExportKind } from '../queries/exports/export-request.ts';
import { readParameters, type ParameterTable } from '../queries/parameters/parameters.ts';
import { textsOf } from './answer.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { commandFailure, failing, optionOf, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { oneOfArgument } from './one-of-argument.ts';
import { outFileOption } from './out-file-option.ts';
import { progressBar } from './output/progress-bar.ts';
import { progressCount } from './output/progress-count.ts';
import { withLedger } from './with-ledger.ts';
import { writeWhole } from './write-whole.ts';
import { soMany } from '../domain/so-many.ts';

type Options = Readonly<Record<string, string | true | undefined>> & {
  readonly out: string;
  readonly format?: string;
  readonly pii?: true;
  readonly json?: true;
};

const HELP = `
FILE appears when it is whole, in place of one of that name that was there, and beside it FILE.manifest.json: rows, sums
for each currency, filters, position and SHA-256. Without --format the ending of FILE says it.

Examples:
  ramp-ledger export orders --out january.csv --from 2026-01-01 --to 2026-01-31
  ramp-ledger export orders --out settled.xlsx --flow offramp --basis settled --from 2026-01-01 --to 2026-01-31
  ramp-ledger export events --out events.ndjson --pii     with the customers' personal data
  ramp-ledger export audit --out trail.csv --verify       each event proved anew
`;

const formatOf = (kind: ExportKind, { format, out }: Options): E.Either<CommandFailure, string> => {
  if (format !== undefined) return E.right(format);
  const ending = extname(out).slice(1).toLowerCase();
  const known: readonly string[] = EXPORT_FORMATS[kind];
  if (known.includes(ending)) return E.right(ending);
  return failing(2, `--format: expected one of ${known.join(', ')}, since ${out} does not end in one`);
};

/** What the options ask for; one that is for another kind is wrong usage. */
const requestIn = async <T extends ParameterTable>(
  { now }: CommandContext,
  { store, businessTimeZone, matchDueDays }: OpenLedger,
  question: ExportQuestion<T>,
  options: Options,
): Promise<E.Either<CommandFailure, AskedExport>> => {
  const { out: _out, pii, json: _json, format: _format, ...filters } = options;
  const foreign = Object.keys(filters).find((name) => !Object.hasOwn(question.parameters, name));
  if (foreign !== undefined) return failing(2, `${optionOf(foreign)} is not for ${question.kind}`);
  const format = formatOf(question.kind, options);
  if (E.isLeft(format)) return format;
  const texts = textsOf({ ...filters, format: format.right });
  const query = readParameters(texts, question.parameters, () => pii === true);
  if (E.isLeft(query)) return E.left(commandFailure(query.left));
  const deps = { store, calendar: businessCalendar(businessTimeZone), matchDueDays, now };
  const personal = pii === true ? 'shown' : 'masked';
  const asked = await parseExport(deps, question, { query: query.right, texts, personal })();
  return E.mapLeft(commandFailure)(asked);
};

const requestOf = (
  context: CommandContext,
  ledger: OpenLedger,
  kind: ExportKind,
  options: Options,
): Promise<E.Either<CommandFailure, AskedExport>> => {
  if (kind === 'orders') return requestIn(context, ledger, ORDERS_EXPORT, options);
  if (kind === 'reconciliation') return requestIn(context, ledger, RECONCILIATION_EXPORT, options);
  return kind === 'events'
    ? requestIn(context, ledger, EVENTS_EXPORT, options)
    : requestIn(context, ledger, AUDIT_EXPORT, options);
};

const written = async (
  context: CommandContext,
  open: OpenDirectExport,
  out: string,
): Promise<E.Either<CommandFailure, ExportManifest>> => {
  const count = progressCount(context.terminal, 'exporting', context.now);
  const pieces = async function* () {
    for await (const piece of open.pieces) {
      if (E.isRight(piece)) count.add(piece.right.length);
      yield E.mapLeft(commandFailure)(piece);
    }
  };
  const manifestText = async function* () {
    const manifest = open.figures();
    if (manifest === null) yield failing(1, 'the export ended too soon');
    else yield E.right(Buffer.from(`${JSON.stringify(manifestResource(manifest), null, 2)}\n`));
  };
  const files = await writeWhole(context, [
    { file: out, pieces },
    { file: `${out}.manifest.json`, pieces: manifestText },
  ]).finally(count.stop);
  const manifest = open.figures();
  if (E.isLeft(files)) return files;
  return manifest === null ? failing(1, 'the export ended too soon') : E.right(manifest);
};

const exported = async (
  context: CommandContext,
  ledger: OpenLedger,
  asked: AskedExport,
  out: string,
): Promise<E.Either<CommandFailure, ExportManifest>> => {
  const bar = progressBar(context.terminal, 'building the read models', context.now);
  const snapshot = await ledger.readModels(bar.onProgress).finally(bar.stop);
  if (E.isLeft(snapshot)) return snapshot;
  const { store, secretKey } = ledger;
  const exporter = directExporter({ store, secretKey, openSnapshot: () => TE.right(snapshot.right) });
  const open = await pipe(
    withMoment({ store, readModels: snapshot.right, now: context.now }, asked),
    TE.chain(exporter),
  )();
  if (E.isLeft(open)) return E.left(commandFailure(open.left));
  try {
    return await written(context, open.right, out);
  } finally {
    await open.right.close();
  }
};

const page = ({ rows, position, sha256, sums }: ExportManifest, out: string): string =>
  [
    `${soMany(rows, 'row')}, ${position === null ? 'before the first event' : `as of position ${position}`}: ${out}`,
    ...sums.map(({ currency, rows: ofIt, fiat }) => `  ${currency}  ${fiat} in ${soMany(ofIt, 'row')}`),
    `SHA-256 ${sha256}`,
    '',
  ].join('\n');

/** `export orders|events|audit --out FILE`: a file of one position, and its manifest beside it. */
export const exportCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('export')
    .description('write orders, events or the audit trail to a file, with a manifest beside it')
    .addArgument(oneOfArgument('<what>', 'what to export', EXPORT_KINDS))
    .addOption(outFileOption('the file to write; FILE.manifest.json is written beside it', 'orders.csv'))
    .option('--format <format>', 'csv, ndjson or, for orders, xlsx; where nothing is said, the ending of FILE')
    .option('--flow <flow>', 'orders: onramp or offramp')
    .option('--status <status>', 'orders: shown with this status')
    .option('--currency <code>', 'orders: of this currency')
    .option('--token <token>', 'orders: of this token, by symbol or address')
    .option('--chain-id <id>', 'orders: on this chain')
    .option('--phase <phase>', 'orders: open, settled, deemed, failed, refunding, refunded or expired')
    .option('--basis <basis>', 'orders: the day that counts: created (usual) or settled')
    .option('--anomaly <code>', 'orders: with this anomaly, or any, lasting or clock')
    .option('--as-of <moment>', 'orders: what was known at a position or an instant')
    .option('--from <day>', 'from this business day on; of events and entries, received from this day or instant on')
    .option('--to <day>', 'up to this business day; of events and entries, received up to this day or instant')
    .option('--type <type>', 'events, audit: of this type, OnRampCompleted say')
    .option('--q <text>', 'those that this id, utr, hash, wallet or digest finds, exactly')
    .option('--verify', 'audit: compute signature and digest of each event anew')
    .option('--pii', 'with personal data, which is masked otherwise')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', HELP)
    .action(async (kind: ExportKind, options: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const asked = await requestOf(context, ledger, kind, options);
          if (E.isLeft(asked)) return asked;
          const manifest = await exported(context, ledger, asked.right, options.out);
          if (E.isLeft(manifest)) return manifest;
          const { json, out } = options;
          context.terminal.out(
            json === true ? `${JSON.stringify(manifestResource(manifest.right))}\n` : page(manifest.right, out),
          );
          return E.right(0);
        }),
      );
    });
