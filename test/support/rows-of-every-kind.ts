import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as t from 'io-ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { AskedLedger } from './asked-ledger.ts';
import { bodyOf, offRamp, SECRET } from './payloads.ts';
import { putAway, release } from './quarantine-scene.ts';
import { reconciledLedger } from './reconciled-ledger.ts';
import { right } from './right.ts';

const Deliveries = t.type({ data: t.array(t.type({ eventId: t.string })) });

/** What `verify` looks at in a folder, but how far. */
export const placesIn = (folder: string) => ({
  location: { file: join(folder, 'events.db'), dataDir: folder },
  readModelFile: join(folder, 'read-models.db'),
  secrets: [{ id: 'primary', key: Buffer.from(SECRET).toString('hex') }],
});

/** The file of the read models that serve in a folder. */
export const generationFileIn = (folder: string): string => {
  const generations = right(Generations.open(placesIn(folder).readModelFile));
  const file = generations.fileOf(generations.serving());
  generations.close();
  return file;
};

/** Where the file of read models is kept as it was. */
export const soundFileOf = (file: string): string => `${file}.sound`;

const keepSound = (folder: string): void => {
  const file = generationFileIn(folder);
  const database = new Database(file);
  // What is in the journal alone would not be in the copy.
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  copyFileSync(file, soundFileOf(file));
};

/**
 * Leaves a ledger in a folder that no longer serves, whose read models have rows of every kind: orders with a second reference and
 * a clock anomaly, a bank file, transfers and decisions, and deliveries in quarantine, one of them closed and one released.
 */
export const rowsOfEveryKind = async (folder: string): Promise<void> => {
  const { ledger } = await reconciledLedger({ DATA_DIR: folder });
  const asked = new AskedLedger(ledger.url);
  const paid = { orderId: 'twice', fiat: 100, createdAt: '2026-04-10T10:00:00Z' };
  await asked.deliver(bodyOf(offRamp({ ...paid, status: 'fiatDeemed', utr: 'V1' })));
  await asked.deliver(bodyOf(offRamp({ ...paid, status: 'fiatDeemed', utr: 'V2' })));
  const early = { orderId: 'early', fiat: 1, createdAt: '2026-05-10T10:00:00Z', updated_at: '2026-05-10T10:00:00Z' };
  await asked.deliver(bodyOf(offRamp({ ...early, status: 'pending' })));
  const away = offRamp({ orderId: 'away', status: 'PayoutSuccess', utr: 'W1', fiat: 5 });
  await release(ledger.store, (await putAway(ledger.store, away)).body);
  await putAway(ledger.store, offRamp({ orderId: 'kept', status: 'PayoutSuccess', utr: 'W\ud800', fiat: 6 }));
  await asked.deliver(Buffer.from('{}'));
  await asked.deliver(Buffer.from('{"a":1}'));
  const { data } = right(Deliveries.decode(await asked.ask(`/v1/quarantine?position=${asked.position}`)));
  const closed = `/v1/quarantine/${data.at(-1)?.eventId ?? ''}/close`;
  await asked.ask(closed, { method: 'POST', body: JSON.stringify({ note: 'a test' }) });
  await asked.ask(`/v1/reconciliation?position=${asked.position}`);
  await ledger.close();
  keepSound(folder);
};
