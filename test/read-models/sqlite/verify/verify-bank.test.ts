import Database from 'better-sqlite3';
import { expect } from 'chai';
import { branded } from '../../../../src/domain/brand.ts';
import type { BaseUnits } from '../../../../src/domain/decimal.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import { KnownTransfers } from '../../../../src/domain/known-transfers.ts';
import { ownEvent } from '../../../../src/domain/own-event/own-event.ts';
import { TRANSFER_OBSERVED } from '../../../../src/domain/own-event/transfer-events.ts';
import { positionAt } from '../../../../src/domain/position.ts';
import type { RecordedEvent } from '../../../../src/domain/recorded-event.ts';
import type { SourcedTransfer } from '../../../../src/domain/transfer.ts';
import { bankChange } from '../../../../src/read-models/bank-change.ts';
import { BankTables } from '../../../../src/read-models/sqlite/match/bank-tables.ts';
import { createIndexes, createTables } from '../../../../src/read-models/sqlite/schema.ts';
import { BankVerification } from '../../../../src/read-models/sqlite/verify/verify-bank.ts';
import { AUTHOR } from '../../../support/bank-imports.ts';
import { recordedEvent } from '../../../support/recorded-event.ts';
import { there } from '../../../support/sqlite-read-models.ts';
import { sourced } from '../../../support/transfers.ts';

/** Two transfers of one transaction, the second seen once more, and an older look at it that comes last. */
const LOOKS: readonly (readonly SourcedTransfer[])[] = [
  [
    sourced({ observedAt: instantOf(5) }),
    sourced({ observedAt: instantOf(1), baseUnits: branded<BaseUnits>('2'), block: 1 }),
  ],
  [sourced({ observedAt: instantOf(3), baseUnits: branded<BaseUnits>('2'), block: 3 })],
  [sourced({ observedAt: instantOf(2), baseUnits: branded<BaseUnits>('2'), block: 2 })],
];

describe('verify, over transfers that are kept', () => {
  let database: Database.Database;
  let events: readonly RecordedEvent[];

  beforeEach(() => {
    database = new Database(':memory:');
    createTables(database);
    createIndexes(database);
    const known: ReturnType<KnownTransfers['named']>[number][] = [];
    const named = LOOKS.flatMap((look) => {
      const its = new KnownTransfers(known).named(look);
      known.push(...its);
      return its;
    });
    events = named.map((transfer, at) =>
      recordedEvent(ownEvent(TRANSFER_OBSERVED, transfer, AUTHOR), { position: positionAt(at) }),
    );
    const tables = new BankTables(database);
    for (const event of events) tables.apply(there(bankChange(event)));
  });
  afterEach(() => database.close());

  const found = (): readonly (string | undefined)[] => {
    const checkpoint = { position: positionAt(events.length), at: instantOf(0) };
    const { stream } = there(events[0]);
    return new BankVerification(database, checkpoint).of({ stream, events }).map(({ detail }) => detail);
  };

  it('finds nothing wrong with several in one transaction, each seen at its own times', () => {
    expect(new Set(events.map(({ id }) => id)).size).to.equal(4);
    expect(database.prepare('SELECT COUNT(*) AS rows FROM transfers').get()).to.deep.equal({ rows: 2 });
    expect(found()).to.deep.equal([]);
  });

  it('finds nothing wrong where one was looked at again meanwhile, also within the same moment', () => {
    for (const seen of [
      { observedAt: instantOf(6), confirmations: 3 },
      { observedAt: instantOf(5), confirmations: 2 },
    ]) {
      const [known] = events.flatMap((event) => {
        const change = bankChange(event);
        return change?._tag === 'Observed' ? [change.transfer] : [];
      });
      const event = ownEvent(TRANSFER_OBSERVED, { ...there(known), ...seen }, AUTHOR);
      database.exec('BEGIN');
      new BankTables(database).apply(there(bankChange(recordedEvent(event, { position: positionAt(9) }))));
      expect(found(), String(seen.observedAt)).to.deep.equal([]);
      database.exec('ROLLBACK');
    }
  });

  it('names each that is gone or differs, whichever of its transaction it is', () => {
    for (const n of [0, 1]) {
      const row = `transfer_id = (SELECT transfer_id FROM transfers ORDER BY position LIMIT 1 OFFSET ${n})`;
      database.exec(
        `BEGIN; UPDATE transfers SET transfer = replace(transfer, '"baseUnits":"', '"baseUnits":"9') WHERE ${row}`,
      );
      expect(found(), String(n)).to.deep.equal(['its transfer differs']);
      database.exec(`ROLLBACK; BEGIN; UPDATE transfers SET position = position + 1 WHERE ${row}`);
      expect(found(), String(n)).to.deep.equal(['its transfer differs']);
      for (const change of ["hash_key = 'x'", "observed_at = '2030-01-01T00:00:00.000Z'", 'chain_id = 1']) {
        database.exec(`ROLLBACK; BEGIN; UPDATE transfers SET ${change} WHERE ${row}`);
        expect(found(), change).to.deep.equal(['its transfer differs']);
      }
      database.exec(`ROLLBACK; BEGIN; DELETE FROM transfers WHERE ${row}`);
      expect(found(), String(n)).to.deep.equal(['its transfer is missing']);
      database.exec('ROLLBACK');
    }
  });
});
