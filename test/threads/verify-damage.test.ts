import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { WorkerClient } from '../../src/threads/worker-client.ts';
import { rowsOfEveryKind } from '../support/rows-of-every-kind.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { within } from '../support/within.ts';
import { damages, type Damage } from './damages.ts';
import { damageThread, type Question, type Verified } from './verify-damage-protocol.ts';

/** A verification takes some hundredths of a second; one that goes on for so long will not end. */
const BOUND_MS = 20_000;

/** Bytes of the file that are changed, one after the other. */
const FLIPS = 40;

/** What need not be named, and why; that it is looked at must end all the same. */
const MAY_DIFFER: ReadonlyMap<string, string> = new Map([
  ['checkpoint.id', 'the number of the only row, by which nobody asks'],
  ['checkpoint', 'the first of two rows is read, and compared'],
  ['generation', 'the first of two rows is read, and compared'],
  ['generation.match_settings', 'where they are not those that are wanted, the next start builds anew'],
  ['cells.settled', 'what is no amounts is read as none, which some rows have'],
  ['step_cells.settled', 'what is no amounts is read as none, which some rows have'],
  ['match_classes', 'a name of no row'],
  ['match_lists', 'a name of no row'],
]);

/** Tables that have rows for moments only, while large bank files and items are made. */
const OF_MOMENTS: ReadonlySet<string> = new Set(['match_due', 'match_large', 'match_waiting']);

describe('verify, over read models that are damaged', () => {
  const folder = temporaryFolder();
  const start = (): WorkerClient<Question, Verified> => new WorkerClient(damageThread(folder.path));
  let thread: WorkerClient<Question, Verified>;

  before(async () => {
    await rowsOfEveryKind(folder.path);
    thread = start();
  });
  after(async () => {
    await thread.terminate();
    folder.remove();
  });

  /** What verify says then: whatever it looks at, it ends, and with a report. */
  const verified = async (question: Question): Promise<Verified> => {
    try {
      const answer = await within(BOUND_MS, thread.ask(question), 'verify');
      return E.isRight(answer) ? answer.right : { _tag: 'Unread', detail: answer.left.detail };
    } catch {
      await thread.terminate();
      thread = start();
      return { _tag: 'Unread', detail: 'it does not end' };
    }
  };

  const failuresOf = async (sql: string): Promise<readonly string[]> => {
    const found = await verified({ _tag: 'Change', sql });
    if (found._tag !== 'Verified') expect.fail(`${sql}: ${found.detail}`);
    if (sql !== '') expect(found.changes, sql).to.be.greaterThan(0);
    return found.failures;
  };

  /** What is wrong with what verify says of it; null for nothing. */
  const problemOf = async ({ table, column, sql }: Damage): Promise<string | null> => {
    const found = await verified({ _tag: 'Change', sql });
    // A change that the table itself refuses is none.
    if (found._tag === 'Impossible') return null;
    if (found._tag === 'Unread') return `${sql}: ${found.detail}`;
    const isNamed = found.failures.length > 0 || MAY_DIFFER.has(column === null ? table : `${table}.${column}`);
    if (OF_MOMENTS.has(table) || (isNamed && found.changes > 0)) return null;
    return `${sql}: ${found.changes === 0 ? 'there is no such row' : 'it is not named'}`;
  };

  it('finds nothing where nobody changed anything', async () => {
    expect(await failuresOf('')).to.deep.equal([]);
  });

  for (const [table, all] of damages()) {
    it(`names whatever is changed in ${table}, rows that are gone and one that is too much`, async () => {
      const problems: string[] = [];
      for (const damage of all) {
        const problem = await problemOf(damage);
        if (problem !== null) problems.push(problem);
      }
      expect(problems).to.deep.equal([]);
    }).timeout(120_000);
  }

  it('ends with a report wherever bytes of the file are changed', async () => {
    const problems: string[] = [];
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const found = await verified({ _tag: 'Flip', share: (flip + 0.5) / FLIPS });
      if (found._tag !== 'Verified') problems.push(`${flip}: ${found.detail}`);
    }
    expect(problems).to.deep.equal([]);
  }).timeout(120_000);

  for (const [what, sql, expected] of [
    [
      'an order that can’t be read where a bank line names its reference',
      `UPDATE orders SET state = '[' WHERE no = (SELECT no FROM orders WHERE order_id = 'o1')`,
      /^read-model-order-differs: it differs in state$/m,
    ],
    [
      'lines whose rows say another index than they do',
      'UPDATE statement_lines SET idx = idx + 1000',
      /^read-model-bank-differs: line 0 of its bank file differs$/m,
    ],
    [
      'when events of a chunk of the trail were received',
      'UPDATE audit_chunks SET received_from = received_from + 86400000, received_to = received_to + 86400000',
      /^read-model-trail-differs: the chunk of the trail at position \d+ is not what its row says$/m,
    ],
    [
      'a delivery that nobody released',
      `UPDATE quarantine SET released_as = event_id WHERE released_as IS NULL`,
      /^read-model-quarantine-differs: its row differs$/m,
    ],
    [
      'a delivery that nobody closed',
      `INSERT INTO quarantine_closings SELECT q.stream, c.closing FROM quarantine q JOIN quarantine_closings c
         ON c.stream <> q.stream LIMIT 1`,
      /^read-model-quarantine-differs: no event stands for a closing, quarantine-\w+$/m,
    ],
    [
      'a delivery that never came',
      `INSERT INTO quarantine SELECT position + 1000, event_id || 'x', replace(stream, '0', '1'), order_id, utr, quarantined, NULL
         FROM quarantine WHERE stream LIKE '%0%' LIMIT 1`,
      /^read-model-quarantine-differs: no event stands for a delivery in quarantine, quarantine-\w+$/m,
    ],
  ] as const) {
    it(`names ${what}`, async () => {
      expect((await failuresOf(sql)).join('\n')).to.match(expected);
    });
  }
});
