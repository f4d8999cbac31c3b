import { Option } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { alignedColumns } from './aligned-columns.ts';
import { printResult, type BenchCommand } from './bench-command.ts';
import { whole } from './number-text.ts';
import { measureProofs, type ProofsAndCost } from './proofs.ts';
import { measureTreeCost, type TreeCost } from './tree-cost.ts';
import { wholeNumber } from './whole-number.ts';

const Arguments = t.intersection([t.type({ leaves: t.number, deliveries: t.number }), t.partial({ json: t.boolean })]);

const LEAVES = 1_000_000;
const DELIVERIES = 20_000;
const FAILED = 1;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? '' : '+'}${percent(share)}`;

const costRows = (ingest: TreeCost): readonly (readonly string[])[] => {
  if (ingest === null) return [['cost while deliveries come', 'this system shows no processor time']];
  const { receiving, whole: all, serving, alone, goalMore } = ingest;
  const between = ({ median, from, to }: typeof receiving.more): string =>
    `${signed(median)} (half of the blocks ${signed(from)} to ${signed(to)})`;
  const rows = (
    what: string,
    { withTree, without, more, moreOfEqual }: typeof receiving,
  ): readonly (readonly string[])[] => [
    [what, `${withTree.toFixed(1)} with the tree, ${without.toFixed(1)} without: ${between(more)}`],
    ['  turns that are equal', between(moreOfEqual)],
  ];
  return [
    ...rows(`all threads, µs of processor a delivery (goal ${signed(goalMore)})`, all),
    ...rows('the thread that receives', receiving),
    [
      'the tree while it serves, µs of processor an event',
      `${serving.event.toFixed(1)}: ${percent(serving.share)} of a delivery`,
    ],
    ['the tree alone, µs of processor an event', alone.toFixed(1)],
  ];
};

const longest = ({ p99, max, processorP99 }: ProofsAndCost['inclusionMs']): string =>
  `${p99.toFixed(3)} (${processorP99.toFixed(3)} of processor time), ${max.toFixed(3)}`;

const table = (result: ProofsAndCost): string => {
  const { leaves, goalMs, inclusionMs, consistencyMs, ratio, wrong } = result;
  const rows = [
    ['', `${whole(leaves)} leaves`],
    [`inclusion proof, ms (goal ${goalMs}): median`, inclusionMs.median.toFixed(3)],
    ['  99 %, longest', longest(inclusionMs)],
    [`consistency proof, ms (goal ${goalMs}): median`, consistencyMs.median.toFixed(3)],
    ['  99 %, longest', longest(consistencyMs)],
    ['tree, leaves/s', whole(result.leavesPerSecond)],
    ['hashing alone, leaves/s', whole(result.baselineLeavesPerSecond)],
    ['ratio', ratio.toFixed(3)],
    ['proofs that do not hold', whole(wrong)],
    ...costRows(result.ingest),
  ];
  return ['proofs: the tree of a log in its files', '', ...alignedColumns(rows)].join('\n');
};

/** `proofs`; it fails where a proof does not hold. */
export const proofsCommand: BenchCommand = (command, { owned, note }) =>
  command
    .description(
      'ms that a proof of the log takes, how fast its tree grows beside hashing alone, and what it costs while deliveries come',
    )
    .addOption(
      new Option('--leaves <n>', 'of the tree; ten million take half a minute and 400 MB of disk')
        .default(LEAVES)
        .argParser(wholeNumber(1, 100_000_000)),
    )
    .addOption(
      new Option('--deliveries <n>', 'of each turn to a ledger, of which some are with the tree and some without')
        .default(DELIVERIES)
        .argParser(wholeNumber(1_000, 1_000_000)),
    )
    .option('--json', 'print nothing but JSON on standard output')
    .addHelpText('after', '\nExample: npm run -s bench -- proofs --leaves 10000000 --json')
    .action(async (given: unknown) => {
      const decoded = Arguments.decode(given);
      if (E.isLeft(decoded)) throw new Error('the options could not be read');
      const { leaves, deliveries, json } = decoded.right;
      const proofs = measureProofs(owned, leaves, note);
      const result = { ...proofs, ingest: await measureTreeCost(owned, deliveries, note) };
      printResult(result, json === true, table);
      if (result.wrong > 0) process.exitCode = FAILED;
    });
