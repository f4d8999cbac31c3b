import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import { parseRetiredSecrets } from '../config/parse-webhook-secrets.ts';
import { readSecretFile } from '../config/read-secret-file.ts';
import { parseVerifierLine, type NoteVerifier } from '../proofs/signed-note.ts';
import type { EvidenceVerdict } from '../queries/evidence/verify-evidence.ts';
import { cellText } from './output/cell-text.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';
import { fileBytes } from './file-bytes.ts';
import { soMany } from '../domain/so-many.ts';

type Options = {
  readonly secretFile?: string;
  readonly key?: string;
  readonly witness?: readonly string[];
  readonly json?: true;
};

const HELP = `
Needs no ledger and no network. Without --key it takes the key that the evidence names: compare that line with one that
you got another way. A witness that you know by its key, and name, must have cosigned the checkpoint.

Examples:
  ramp-ledger verify-evidence ord-1001.zip
  ramp-ledger verify-evidence ord-1001.zip --key 'ramp-ledger/0123456789abcdef+01234567+AQ…' --secret-file webhook-secret
`;

/** More than a ledger writes: an order's events are in it, each of a megabyte at the most. */
const MOST_BYTES = 1_073_741_824;

/** A secret alone is that of every id; a list of named ones is read as WEBHOOK_SECRETS is. */
const secretsIn = (file: string | undefined): E.Either<CommandFailure, SecretKeyById> => {
  if (file === undefined) return E.right(() => null);
  const read = readSecretFile(file);
  if (E.isLeft(read)) {
    const detail = read.left._tag === 'Absent' ? 'is not there' : read.left.detail;
    return failing(2, `--secret-file: the file ${detail}`);
  }
  const { entries, errors } = parseRetiredSecrets('--secret-file', read.right.text);
  const alone = Buffer.from(read.right.text);
  const named: SecretKeyById = (id) => entries.find((entry) => entry.id === id)?.key ?? null;
  return E.right(errors.length > 0 ? () => alone : named);
};

const keyIn = (line: string | undefined): E.Either<CommandFailure, NoteVerifier | null> => {
  const key = line === undefined ? null : parseVerifierLine(line.trim());
  return line !== undefined && key === null
    ? failing(2, '--key: expected the line of a key, as GET /v1/log/key gives it')
    : E.right(key);
};

/** Witnesses by the lines of their keys. */
const witnessesIn = (lines: readonly string[]): E.Either<CommandFailure, readonly NoteVerifier[]> => {
  const witnesses = lines.flatMap((line) => parseVerifierLine(line.trim(), 'cosignature') ?? []);
  return witnesses.length === lines.length
    ? E.right(witnesses)
    : failing(2, '--witness: expected the line of a key for cosignature/v1, name+hash+base64');
};

const word = (holds: boolean | null): string => (holds === null ? 'not checked' : holds ? 'holds' : 'WRONG');

/** As of when nothing of the order is missing, and whose word it is that nothing came from there to the checkpoint. */
const completeness = ({ completeAt, checkpoint }: EvidenceVerdict): readonly string[] => {
  if (completeAt === null) return [];
  const behind = (checkpoint?.size ?? completeAt) - completeAt;
  const none = behind === 1 ? 'the 1 later event is not' : `none of the ${behind} later events is`;
  const stated = `signed by the ledger, not proven: ${none} of this order`;
  return [`the history is complete as of ${soMany(completeAt, 'event')} of the log`, ...(behind === 0 ? [] : [stated])];
};

const page = (verdict: EvidenceVerdict): string => {
  const { holds, orderId, events, checkpoint, key, order, problems } = verdict;
  const rows = events.map(({ revision, type, signature, digest, inclusion }) => [
    String(revision),
    cellText(type),
    word(signature),
    word(digest),
    word(inclusion),
  ]);
  const of =
    checkpoint === null
      ? []
      : [
          `checkpoint of ${cellText(checkpoint.origin)}: ${soMany(checkpoint.size, 'event')}, root ${checkpoint.rootHash}`,
          `signed with ${cellText(key)}`,
          ...checkpoint.witnesses.map(
            ({ name, signature, at }) =>
              `cosigned by ${cellText(name)}${at === null ? '' : ` at ${at}`}: ${word(signature)}`,
          ),
        ];
  return [
    ...(orderId === null ? [] : [`order ${cellText(orderId)}`]),
    ...(rows.length === 0
      ? []
      : [columns([['revision', 'type', 'signature', 'digest', 'in the log'], ...rows]).trimEnd()]),
    ...of,
    ...completeness(verdict),
    ...(order === null && orderId !== null
      ? ["order.json was made by another version of the ledger: that the events give it is the ledger's signed word"]
      : []),
    ...problems.map(({ code, detail }) => `${code}: ${cellText(detail)}`),
    holds ? 'it holds' : 'IT DOES NOT HOLD',
    '',
  ].join('\n');
};

/** What was found, its members those of docs/spec/command-line.md, verify-evidence. */
const report = ({ events, checkpoint, holds, ...rest }: EvidenceVerdict) => ({ holds, events, checkpoint, ...rest });

/** `verify-evidence FILE`: checks evidence without a ledger and without a network. */
export const verifyEvidenceCommand = ({ terminal }: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('verify-evidence')
    .description('check the evidence of an order, to the last byte; needs no ledger and no network')
    .argument('<file>', 'the ZIP')
    .option(
      '--secret-file <file>',
      "the provider's webhook secret, or id=secret,id2=secret2: checks the signatures too",
    )
    .option('--key <vkey>', 'the key that the ledger is known by: origin+hash+base64')
    .option(
      '--witness <vkey>',
      'a witness that must have cosigned the checkpoint, by its key; given once for each',
      (vkey: string, earlier?: readonly string[]): readonly string[] => [...(earlier ?? []), vkey],
    )
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, { secretFile, key, witness = [], json }: Options) => {
      const checked = async (): Promise<E.Either<CommandFailure, ExitStatus>> => {
        const secretKey = secretsIn(secretFile);
        if (E.isLeft(secretKey)) return secretKey;
        const pinned = keyIn(key);
        if (E.isLeft(pinned)) return pinned;
        const witnesses = witnessesIn(witness);
        if (E.isLeft(witnesses)) return witnesses;
        const zip = fileBytes(file, MOST_BYTES);
        if (E.isLeft(zip)) return zip;
        // What reads ZIP takes a while to load, and no other command needs it.
        const { verifyEvidence } = await import('../queries/evidence/verify-evidence.ts');
        const verdict = verifyEvidence(zip.right, {
          secretKey: secretKey.right,
          key: pinned.right,
          witnesses: witnesses.right,
        });
        terminal.out(json === true ? `${JSON.stringify(report(verdict))}\n` : page(verdict));
        return E.right(verdict.holds ? 0 : 1);
      };
      exit(statusOf(terminal, await checked()));
    });
