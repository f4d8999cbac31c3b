import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { openBeside } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { VerifyTasks } from '../../src/threads/verify-tasks.ts';
import type { VerifyTask } from '../../src/threads/verify-message.ts';
import { reconciledLedger, type ReconciledLedger } from '../support/reconciled-ledger.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('verify, over the match', () => {
  const folder = temporaryFolder();
  let scene: ReconciledLedger;

  before(async () => {
    scene = await reconciledLedger({ DATA_DIR: folder.path });
    await scene.answer('/v1/reconciliation');
  });
  after(async () => {
    await scene.ledger.close();
    folder.remove();
  });

  /** What verify finds, each with its problem. */
  const verified = async (): Promise<readonly string[]> => {
    const location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
    const log = right(openBeside(location));
    const upTo = right(await log.head()()) ?? expect.fail('an event');
    const parts = right(await log.streamParts()());
    await log.close();
    const secrets = [{ id: 'primary', key: Buffer.from(SECRET).toString('hex') }];
    const readModelFile = join(folder.path, 'read-models.db');
    const options = {
      location,
      readModelFile,
      upTo,
      secrets,
      stepEnds: [],
      trailUpTo: null,
      entriesOf: { match: false },
    };
    const tasks = right(VerifyTasks.open(options));
    const all: readonly VerifyTask[] = [{ _tag: 'Match' }, { _tag: 'Parts', first: 0, beyond: parts }];
    const found: string[] = [];
    for (const task of all) {
      const answer = await tasks.run(task);
      if (E.isLeft(answer)) expect.fail(answer.left.detail);
      found.push(...answer.right.failures.map((it) => `${it.problem}: ${'detail' in it ? it.detail : ''}`));
    }
    await tasks.close();
    return found;
  };

  /** What verify finds where a table was changed so, which is taken back. */
  const changed = async (table: string, sql: string): Promise<readonly string[]> => {
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const database = new Database(generations.fileOf(generations.serving()));
    generations.close();
    database.exec(`CREATE TEMP TABLE before AS SELECT * FROM ${table}`);
    try {
      expect(database.prepare(sql).run().changes, sql).to.be.greaterThan(0);
      return await verified();
    } finally {
      database.exec(`BEGIN; DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM before; COMMIT`);
      database.close();
    }
  };

  it('finds nothing where nobody changed anything', async () => {
    expect(await verified()).to.deep.equal([]);
  });

  for (const [what, table, sql, problem] of [
    [
      'an item',
      'match_items',
      `UPDATE match_items SET body = replace(body, 'unmatched-line', 'matched')
       WHERE body LIKE '%unmatched-line%'`,
      /match-differs: item \w+ differs/,
    ],
    [
      'the list of an item',
      'match_items',
      `UPDATE match_items SET list = (SELECT max(id) FROM match_lists) WHERE list = (SELECT min(id) FROM match_lists)`,
      /match-differs: item/,
    ],
    [
      'an item that is gone',
      'match_items',
      `DELETE FROM match_items WHERE body LIKE '%unmatched-transfer%'`,
      /match-differs: \d+ members/,
    ],
    [
      'a line in no item',
      'match_evidence',
      'UPDATE match_evidence SET item = NULL WHERE file IS NOT NULL',
      /match-differs: line:\S+ is in no item/,
    ],
    ['an order in no item', 'match_placed', 'DELETE FROM match_placed', /match-differs: item \w+ differs/],
    ['what breaks items have', 'match_lists', 'DELETE FROM match_lists', /match-differs: item \w+ differs/],
    [
      'the numbers of lines',
      'match_items',
      `UPDATE match_items SET evidence = '[1]'`,
      /match-differs: item \w+ differs/,
    ],
    [
      'what items are found by',
      'term_runs',
      `DELETE FROM term_runs WHERE kind = 'item'`,
      /match-differs: item \w+ differs/,
    ],
    [
      'what lines are found by',
      'term_runs',
      `DELETE FROM term_runs WHERE kind = 'match'`,
      /match-differs: the match lacks line:/,
    ],
    [
      'a line',
      'statement_lines',
      `UPDATE statement_lines SET line = replace(line, '"7', '"8')`,
      /bank-differs: line \d of its bank file/,
    ],
    [
      'the day of a line',
      'statement_lines',
      `UPDATE statement_lines SET booked_on = '2026-04-11' WHERE idx = 1`,
      /bank-differs: line 1/,
    ],
    [
      'a bank file',
      'statements',
      `UPDATE statements SET noted = replace(noted, 'test', 'toast')`,
      /bank-differs: its bank file/,
    ],
    [
      'a transfer',
      'transfers',
      `UPDATE transfers SET transfer = replace(transfer, 'success', 'failed')`,
      /bank-differs: its transfer/,
    ],
    [
      'which references of a line are the bank’s own',
      'match_evidence',
      `UPDATE match_evidence SET own = '["X"]' WHERE file IS NOT NULL`,
      /match-differs: number \d+ of the match differs/,
    ],
    [
      'which line it is',
      'match_evidence',
      'UPDATE match_evidence SET idx = 1 - idx WHERE idx < 2',
      /match-differs: number \d+ of the match differs/,
    ],
    [
      'a line that is gone',
      'match_evidence',
      'DELETE FROM match_evidence WHERE idx = 0',
      /match-differs: the match lacks line:/,
    ],
    [
      'a decision',
      'match_decisions',
      `UPDATE match_decisions SET body = replace(body, 'by hand', 'at the till')`,
      /bank-differs: its decision/,
    ],
    [
      'what is awaited',
      'match_awaited',
      `UPDATE match_awaited SET fiat = '1'`,
      /match-differs: what is awaited for order:o4 differs/,
    ],
    ['a covered day', 'match_cover', 'DELETE FROM match_cover', /match-differs: covered days/],
    ['a chain', 'match_chains', 'DELETE FROM match_chains', /match-differs: chain 137/],
    ['a sum', 'match_cells', 'UPDATE match_cells SET items = items + 1', /match-differs: sums/],
  ] as const) {
    it(`names ${what} that was changed in the file`, async () => {
      expect((await changed(table, sql)).join('\n')).to.match(problem);
    });
  }
});
