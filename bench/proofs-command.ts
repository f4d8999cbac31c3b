import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { alignedColumns } from './aligned-columns.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { whole } from './number-text.ts';
import { measureProofs, type ProofsResult } from './proofs.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([t.type({ leaves: t.number }), t.partial({ json: t.boolean })]);

const LEAVES = 1_000_000;
const FAILED = 1;

const table = (result: ProofsResult): string => {
  const { leaves, goalMs, inclusionMs, consistencyMs, ratio, wrong } = result;
  const rows = [
    ['', `${whole(leaves)} leaves`],
    [`inclusion proof, ms (goal ${goalMs}): median`, inclusionMs.median.toFixed(3)],
    ['  longest', inclusionMs.max.toFixed(3)],
    [`consistency proof, ms (goal ${goalMs}): median`, consistencyMs.median.toFixed(3)],
    ['  longest', consistencyMs.max.toFixed(3)],
    ['tree, leaves/s', whole(result.leavesPerSecond)],
    ['hashing alone, leaves/s', whole(result.baselineLeavesPerSecond)],
    ['ratio', ratio.toFixed(3)],
    ['proofs that do not hold', whole(wrong)],
  ];
  return ['proofs: the tree of a log in its files', '', ...alignedColumns(rows)].join('\n');
};

/** `proofs`; it fails where a proof does not hold. */
export const proofsCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description('ms that a proof of the log takes, and how fast its tree grows beside hashing alone')
    .addOption(
      new Option('--leaves <n>', 'of the tree; ten million take half a minute and 400 MB of disk')
        .default(LEAVES)
        .argParser(wholeNumber(1, 100_000_000)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- proofs --leaves 10000000 --json')
    .action((given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { leaves, json } = decoded.right;
      const result = measureProofs(owned, leaves, note);
      printResult(result, json === true, table);
      if (result.wrong > 0) process.exitCode = FAILED;
    });
