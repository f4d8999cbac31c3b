import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { AT_COMMAND_LINE } from '../domain/own-event/own-metadata.ts';
import { isProfileName } from '../domain/statement-profile.ts';
import { profileResource } from '../queries/statements/profile-resource.ts';
import { setProfile } from '../queries/statements/profiles.ts';
import { isWrongProfile, parseProfile } from '../statements/table/parse-profile.ts';
import { ask } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { fileBytes } from './file-bytes.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
FILE is JSON: {"date": "Date", "dateFormat": "dd/mm/yyyy", "credit": "Credit", "debit": "Debit", "currency": "INR",
"reference": ["Ref No"], "text": ["Narration"], "decimal": ".", "delimiter": ",", "skipRows": 0}; columns are named by
their header, and one column "amount" (negative is out) may stand for credit and debit. Where amounts have no sign, and a
column says CR or DR, S or H, + or - of each, name that one beside it: "amount": "Amount", "direction": "Dr/Cr".

Examples:
  ramp-ledger statement profile hdfc hdfc.json
  ramp-ledger statement profile hdfc hdfc.json --json     as POST /v1/statements/profiles/hdfc answers
`;

const bodyIn = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
};

/** A profile names columns. */
const MOST_BYTES = 65_536;

/** `statement profile NAME FILE`: says which column of a bank's tables is what. */
export const statementProfileCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('profile')
    .description("say which column of a bank's CSV or XLSX files is what")
    .argument('<name>', 'letters, digits, ".", "_" and "-"')
    .argument('<file>', 'the profile as JSON')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, file: string, { json }: Options) => {
      const { terminal, now, newRequestId } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          if (!isProfileName(name)) return failing(2, `${cellText(name)}: no name of a profile`);
          const bytes = fileBytes(file, MOST_BYTES);
          if (E.isLeft(bytes)) return bytes;
          const profile = parseProfile(bodyIn(bytes.right));
          if (isWrongProfile(profile)) return failing(1, `${profile.member}: ${profile.detail}`);
          const author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
          const kept = await ask(context, ledger, {
            parse: () => TE.right(profile),
            answer: (deps) => (asked) => setProfile(deps, name, asked, author),
          });
          if (E.isLeft(kept)) return kept;
          terminal.out(
            json === true ? `${JSON.stringify(profileResource(kept.right))}\n` : `profile ${name} is kept\n`,
          );
          return E.right(0);
        }),
      );
    });
