import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import type { Position } from '../../../../src/domain/ids.ts';
import { catchUp } from '../../../../src/read-models/runner.ts';
import { openForWriting } from '../../../../src/read-models/sqlite/generation.ts';
import { rebuild } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../../../src/read-models/sqlite/open-target.ts';
import { storedTrailTerms, TrailVerification } from '../../../../src/read-models/sqlite/verify/verify-trail.ts';
import { TrailFold } from '../../../../src/read-models/trail-fold.ts';
import { playedLedger, scripts, type PlayedLedger } from '../../../support/ledger-script.ts';
import { right } from '../../../support/right.ts';
import { runs } from '../../../support/runs.ts';
import { QUIET, rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ZONE = 'UTC';

/** Where the parts of the first mark begin: position and receipt are doubles, the type follows. */
const [POSITION, RECEIVED, TYPE] = [0, 8, 16];

const Blob = t.type({ bytes: t.unknown });

const UNSEARCHED = 'what events are searched by differs from the log';

describe('verify, over the index of the trail', () => {
  const opened = async (ledger: PlayedLedger) => {
    const folder = temporaryFolder();
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    right(await rebuild(rebuildDeps(ledger.store, generations, ZONE)));
    const database = openForWriting(generations.fileOf(generations.serving()));
    const close = (): void => {
      database.close();
      generations.close();
      folder.remove();
    };
    return { generations, database, close };
  };

  const headOf = async ({ store }: PlayedLedger): Promise<Position> =>
    right(await store.head()()) ?? expect.fail('no event');

  /** What is found of a log up to a position, handed over in pieces of so many parts. */
  const found = async (
    { store }: PlayedLedger,
    database: Database.Database,
    upTo: Position,
    piece = 3,
  ): Promise<readonly string[]> => {
    const trail = new TrailVerification(database, upTo);
    const fold = new TrailFold(trail.upTo);
    const head = right(await store.head()()) ?? expect.fail('no event');
    for (let part = 0; part < right(await store.streamParts()()); part += 1) {
      for (const { events } of right(await store.readPart(part, head)())) events.forEach((event) => fold.add(event));
      if (part % piece === 0) trail.add(fold.take());
    }
    trail.add(fold.take());
    const stored = storedTrailTerms(database, upTo);
    trail.addStored(stored.terms);
    return [...stored.failures, ...trail.failures()].map(({ detail }) => detail);
  };

  const [played] = fc.sample(scripts(40), { numRuns: 1, seed: 3 });

  it('finds nothing where it is what the log says, though both went on', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(40), fc.nat(30), fc.integer({ min: 1, max: 4 }), async (steps, built, piece) => {
        const ledger = playedLedger();
        await ledger.play(steps.slice(0, built + 1));
        const { generations, database, close } = await opened(ledger);
        try {
          const before = await headOf(ledger);
          await ledger.play(steps.slice(built + 1));
          expect(await found(ledger, database, before, piece)).to.deep.equal([]);
          const target = there(openTarget(generations, ZONE));
          right(await catchUp(ledger.store, target, await headOf(ledger), QUIET));
          target.close();
          expect(await found(ledger, database, before, piece)).to.deep.equal([]);
          expect(await found(ledger, database, await headOf(ledger), piece)).to.deep.equal([]);
        } finally {
          close();
        }
      }),
      { numRuns: runs(10) },
    );
  });

  /** Changes the last bit of a byte in the first row of a table. */
  const flip = (database: Database.Database, column: string, from: string, at: number): void => {
    const row = database.prepare(`SELECT ${column} AS bytes ${from}`).get();
    const bytes = Blob.is(row) && row.bytes instanceof Uint8Array ? Buffer.from(row.bytes) : expect.fail('no bytes');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    database.exec(
      `UPDATE ${from.replace('FROM ', '').replace('WHERE', `SET ${column} = x'${bytes.toString('hex')}' WHERE`)}`,
    );
  };
  const FIRST = 'FROM audit_chunks WHERE first_position = (SELECT min(first_position) FROM audit_chunks)';
  const TERMS = `FROM term_blocks WHERE no = (SELECT min(no) * 65536 + 1 FROM term_runs WHERE kind = 'audit')`;

  for (const [what, change, expected] of [
    [
      'another type',
      (database: Database.Database) => flip(database, 'marks', FIRST, TYPE + 1),
      /^the trail differs from the log at position \d+$/,
    ],
    [
      'another receipt',
      (database: Database.Database) => flip(database, 'marks', FIRST, RECEIVED + 7),
      /^the chunk of the trail at position \d+ is not what its row says\nthe trail differs from the log at position \d+$/,
    ],
    [
      'another position',
      (database: Database.Database) => flip(database, 'marks', FIRST, POSITION + 1),
      /^the chunk of the trail at position \d+ is not what its row says\nthe trail differs from the log at position \d+$/,
    ],
    ...['first_position', 'last_position', 'received_from', 'received_to'].map(
      (column) =>
        [
          `another ${column} of a chunk`,
          (database: Database.Database) => database.exec(`UPDATE audit_chunks SET ${column} = ${column} - 1`),
          /^the chunk of the trail at position -?\d+ is not what its row says$/,
        ] as const,
    ),
    [
      'a chunk behind all that is included',
      (database: Database.Database) =>
        database.exec(`INSERT INTO audit_chunks
          SELECT first_position + 1000, last_position + 1000, received_from, received_to, types, marks FROM audit_chunks LIMIT 1`),
      /^the trail goes beyond what is included$/,
    ],
    [
      'an event that is not there',
      (database: Database.Database) => database.exec('DELETE FROM audit_chunks'),
      /^the trail differs from the log at position \d+$/,
    ],
    [
      'another term',
      (database: Database.Database) => flip(database, 'entries', TERMS, 0),
      /^the index that finds events is damaged\nwhat events are searched by differs from the log$/,
    ],
    [
      'terms that are not there',
      (database: Database.Database) => database.exec(`DELETE FROM term_runs WHERE kind = 'audit'`),
      /^what events are searched by differs/,
    ],
  ] as const) {
    it(`names ${what}`, async () => {
      const ledger = playedLedger();
      await ledger.play(there(played));
      const { database, close } = await opened(ledger);
      try {
        expect(await found(ledger, database, await headOf(ledger))).to.deep.equal([]);
        change(database);
        expect((await found(ledger, database, await headOf(ledger))).join('\n')).to.match(expected);
      } finally {
        close();
      }
    });
  }

  it('names an event that the log has not', async () => {
    const [whole, shorter] = [playedLedger(), playedLedger()];
    await whole.play(there(played));
    await shorter.play(there(played).slice(0, 3));
    const { database, close } = await opened(whole);
    try {
      const [last, before] = [await headOf(whole), await headOf(shorter)];
      expect(Number(last)).to.be.greaterThan(Number(before));
      const differing = await found(shorter, database, last);
      expect(differing).to.deep.equal([`position ${String(Number(before) + 1)} is not in the log`, UNSEARCHED]);
    } finally {
      close();
    }
  });
});
