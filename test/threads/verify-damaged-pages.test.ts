import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openBeside } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyLedger } from '../../src/threads/verify-ledger.ts';
import { SECRET } from '../support/payloads.ts';
import { reconciledLedger } from '../support/reconciled-ledger.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = 4_096;

describe('verify, where the file of the read models can not be read', () => {
  let folder = temporaryFolder();
  beforeEach(async () => {
    folder.remove();
    folder = temporaryFolder();
    const { ledger } = await reconciledLedger({ DATA_DIR: folder.path });
    await ledger.close();
  });
  after(() => folder.remove());

  for (const [what, harm] of [
    ...([1, 20] as const).map(
      (first) =>
        [
          `pages of it are damaged, from ${first} on`,
          (file: string) => {
            const fd = openSync(file, 'r+');
            for (let at = first * PAGE; at < statSync(file).size; at += PAGE)
              writeSync(fd, Buffer.alloc(PAGE, 0xaa), 0, PAGE, at);
            closeSync(fd);
          },
        ] as const,
    ),
    [
      'it is a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ] as const) {
    it(`proves the log, and names the file, where ${what}`, async () => {
      const file = join(folder.path, 'read-models.db.g1');
      harm(file);
      const location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
      const log = right(openBeside(location));
      try {
        const upTo = right(await log.head()()) ?? expect.fail('an event');
        const secrets = [{ id: 'primary', key: Buffer.from(SECRET).toString('hex') }];
        const options = { location, readModelFile: join(folder.path, 'read-models.db'), upTo, secrets };
        const { events, failures } = right(await verifyLedger(log, log, options, () => undefined));
        expect(events).to.be.greaterThan(0);
        expect(failures.map(({ problem }) => problem)).to.deep.equal(['read-model-unreadable']);
        expect(JSON.stringify(failures)).to.include(file);
      } finally {
        await log.close();
      }
    });
  }
});
