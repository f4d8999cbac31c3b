import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { openBeside } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { threadEnd } from '../../src/threads/serve-thread.ts';
import { verifyLedger } from '../../src/threads/verify-ledger.ts';
import { right } from '../support/right.ts';
import { generationFileIn, placesIn, soundFileOf } from '../support/rows-of-every-kind.ts';
import { there } from '../support/sqlite-read-models.ts';
import { damageProtocol, type Question } from './verify-damage-protocol.ts';

const FLIPPED_BYTES = 8;

const verified = async (folder: string) => {
  const places = placesIn(folder);
  const log = right(openBeside(places.location));
  try {
    const upTo = there(right(await log.head()()));
    return await verifyLedger(log, log, { ...places, upTo }, () => undefined);
  } finally {
    await log.close();
  }
};

const changed = (file: string, sql: string): number => {
  const database = new Database(file);
  try {
    const count = database.prepare<[], number>('SELECT total_changes()').pluck();
    if (sql !== '') database.exec(sql);
    return count.get() ?? 0;
  } finally {
    database.close();
  }
};

const damaged = (file: string, sound: Buffer, question: Question): number => {
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const bytes = Buffer.from(sound);
  if (question._tag === 'Flip') {
    const at = Math.floor(question.share * (bytes.length - FLIPPED_BYTES));
    for (let i = at; i < at + FLIPPED_BYTES; i += 1) bytes.writeUInt8(bytes.readUInt8(i) ^ 0x5a, i);
  }
  writeFileSync(file, bytes);
  return question._tag === 'Flip' ? 1 : changed(file, question.sql);
};

if (parentPort !== null && typeof workerData === 'string') {
  const folder = workerData;
  const file = generationFileIn(folder);
  const sound = readFileSync(soundFileOf(file));
  threadEnd(parentPort, damageProtocol).serve({
    answer: async (question) => {
      const changes = E.tryCatch(() => damaged(file, sound, question), String);
      if (E.isLeft(changes)) return { _tag: 'Impossible', detail: changes.left };
      const report = await verified(folder);
      if (E.isLeft(report)) return { _tag: 'Unread', detail: report.left };
      const failures = report.right.failures.map((it) => `${it.problem}: ${'detail' in it ? it.detail : ''}`);
      return { _tag: 'Verified', changes: changes.right, failures };
    },
    onNote: (never) => never,
    close: () => undefined,
  });
}
