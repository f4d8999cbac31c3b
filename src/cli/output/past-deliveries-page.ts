import type { ImportReport, RefusedLine } from '../../ledger/import-report.ts';
import { soMany } from '../../domain/so-many.ts';

/** Lines that were refused and are named to a person; `--json` names all of them. */
const MOST_NAMED = 20;

/** What is to be done about lines that were refused, by their code. */
const CURES: ReadonlyMap<string, string> = new Map([
  [
    'line-unreadable',
    'a line is one JSON object {body or bodyBase64, signature, receivedAt} in UTF-8, with no member twice and an ISO 8601 time; take it from its source again',
  ],
  ['body-too-large', 'the body has more bytes than WEBHOOK_MAX_BODY_BYTES; raise that and import again'],
  ['signature-missing', 'what is not signed is not taken; give the signature that came with it'],
  ['signature-malformed', 'a signature is 64 hex digits; give it as it came'],
  [
    'signature-mismatch',
    'no secret that is configured gives this signature for this body; give the secret of then in WEBHOOK_RETIRED_SECRETS, or the body byte by byte as bodyBase64',
  ],
  [
    'received-in-future',
    'its receivedAt is more than a minute from now; give the time at which it was received, or set the clock of this machine',
  ],
  ['too-old', 'it was older than WEBHOOK_MAX_AGE_SECONDS when it was received'],
]);

const curesOf = (refused: readonly RefusedLine[]): readonly string[] =>
  [...new Set(refused.map(({ code }) => code))].flatMap((code) => {
    const cure = CURES.get(code);
    return cure === undefined ? [] : [`${code}: ${cure}\n`];
  });

/** The line for standard error where the figures themselves are for a program; null where no line was refused. */
export const refusedNote = ({ refused }: ImportReport): string | null => {
  const [first] = refused;
  if (first === undefined) return null;
  const lines = refused.length === 1 ? '1 line was' : `${refused.length} lines were`;
  return `${lines} refused, the first is line ${first.line}: ${first.code}\n`;
};

/** What is printed of an import of past deliveries: its figures, the first lines that were refused, and what helps. */
export const pastDeliveriesPage = ({ recorded, duplicates, conflicts, quarantined, refused }: ImportReport): string => {
  const named = refused.slice(0, MOST_NAMED).map(({ line, code }) => `line ${line}: ${code}\n`);
  const others = refused.length > MOST_NAMED ? `and ${refused.length - MOST_NAMED} more; --json names them\n` : '';
  const counts = `${recorded} recorded, ${soMany(duplicates, 'duplicate')}, ${soMany(conflicts, 'conflict')}, ${quarantined} quarantined, ${refused.length} refused\n`;
  return [counts, ...named, others, ...curesOf(refused)].join('');
};
