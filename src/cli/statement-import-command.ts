import { basename } from 'node:path';
import { Command } from 'commander';
import { IMPORT_PARAMETERS, importRequest, MOST_FILE_BYTES } from '../queries/statements/statement-request.ts';
import { askedOtherwise } from '../queries/statements/imported-as.ts';
import { importResource } from '../queries/statements/statement-resources.ts';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';
import { importFile } from './import-file.ts';
import { importedPage } from './output/imported-page.ts';

type Options = {
  readonly format?: string;
  readonly account?: string;
  readonly currency?: string;
  readonly profile?: string;
  readonly name?: string;
  readonly json?: true;
};

const EXAMPLES = `
Examples:
  ramp-ledger statement import camt053-2026-03.xml
  ramp-ledger statement import march.csv --profile hdfc --account 50100012345678
  ramp-ledger statement import march.sta --json     as POST /v1/statements answers
`;

/** `statement import FILE`: takes a bank file whole, or says with line and field why not. */
export const statementImportCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('import')
    .description('import a bank file: camt.053, MT940, OFX, or CSV and XLSX by a profile')
    .argument('<file>', 'the file as the bank gave it')
    .option('--format <format>', 'camt.053, mt940, csv, xlsx or ofx; recognised where nothing is said')
    .option('--account <account>', 'the account, where the file names none or names it otherwise')
    .option('--currency <code>', 'the currency, where a table names none')
    .option('--profile <name>', 'the profile by which a table is read')
    .option('--name <name>', 'what the file is called')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { json, ...options }: Options) => {
      exit(
        await importFile(context, {
          file,
          mostBytes: MOST_FILE_BYTES,
          options: { name: basename(file), ...options },
          table: IMPORT_PARAMETERS,
          take: importRequest,
          inTurn: true,
          shown: ({ statement, position, isRepeat, readAs }) => {
            const resource = importResource(statement, position, 'masked');
            if (json === true) return `${JSON.stringify(resource)}\n`;
            const { account = null, profile = null } = options;
            return importedPage(
              resource,
              isRepeat ? { otherwise: askedOtherwise(statement, readAs, { account, profile }) } : null,
            );
          },
        }),
      );
    });
