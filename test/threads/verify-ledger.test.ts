import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { openBeside } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { verifyLedger } from '../../src/threads/verify-ledger.ts';
import { AskedLedger } from '../support/asked-ledger.ts';
import { bodyOf, offRamp, SECRET } from '../support/payloads.ts';
import { reconciledLedger, type ReconciledLedger } from '../support/reconciled-ledger.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Items = t.type({ data: t.array(t.type({ itemId: t.string })) });
const Deliveries = t.type({ data: t.array(t.type({ eventId: t.string })) });

describe('verify, over a ledger that goes on', () => {
  const folder = temporaryFolder();
  let scene: ReconciledLedger;
  let asked: AskedLedger;

  before(async () => {
    scene = await reconciledLedger({ DATA_DIR: folder.path });
    asked = new AskedLedger(scene.ledger.url);
  });
  after(async () => {
    await scene.ledger.close();
    folder.remove();
  });

  const noted = (path: string): Promise<unknown> =>
    asked.ask(path, { method: 'POST', body: JSON.stringify({ decision: 'explain', note: 'a reason' }) });
  const itemOf = async (orderId: string): Promise<string> => {
    const { data } = right(
      Items.decode(await asked.ask(`/v1/reconciliation/items?orderId=${orderId}&position=${asked.position}`)),
    );
    return data[0]?.itemId ?? expect.fail(`an item of ${orderId}`);
  };

  /** What verify finds that read the log's end before something was done, and the rest behind it. */
  const found = async (meanwhile: () => Promise<void>): Promise<readonly string[]> => {
    const location = { file: join(folder.path, 'events.db'), dataDir: folder.path };
    const log = right(openBeside(location));
    try {
      const upTo = right(await log.head()()) ?? expect.fail('an event');
      await meanwhile();
      const secrets = [{ id: 'primary', key: Buffer.from(SECRET).toString('hex') }];
      const options = { location, readModelFile: join(folder.path, 'read-models.db'), upTo, secrets };
      const { failures } = right(await verifyLedger(log, log, options, () => undefined));
      return failures.map((failure) => `${failure.problem} ${'detail' in failure ? failure.detail : ''}`);
    } finally {
      await log.close();
    }
  };

  it('names nothing that was recorded, decided, taken back or closed while it ran, and what differs all the same', async () => {
    await asked.deliver(Buffer.from('{}'));
    const { data } = right(Deliveries.decode(await asked.ask(`/v1/quarantine?position=${asked.position}`)));
    const quarantined = `/v1/quarantine/${data[0]?.eventId ?? ''}`;
    await asked.ask(`${quarantined}/close`, { method: 'POST', body: JSON.stringify({ note: 'a test' }) });
    const [explained, open] = [await itemOf('o3'), await itemOf('o4')];
    const goOn = async (): Promise<void> => {
      await asked.deliver(bodyOf(offRamp({ orderId: 'o1', status: 'PayoutFailure', transactionId: 'T1', fiat: 100 })));
      await asked.ask(`${quarantined}/reopen`, { method: 'POST', body: JSON.stringify({ note: 'a test' }) });
      await asked.ask(`/v1/reconciliation/items/${explained}/decision`, { method: 'DELETE' });
      await noted(`/v1/reconciliation/items/${open}/decision`);
      await asked.ask(`/v1/orders?position=${asked.position}`);
    };
    expect(await found(goOn)).to.deep.equal([]);

    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const database = new Database(generations.fileOf(generations.serving()));
    generations.close();
    const changed = database.prepare(`UPDATE match_decisions SET body = replace(body, 'a reason', 'no reason')`).run();
    database.close();
    expect(changed.changes).to.equal(1);
    const differing = await found(() => noted(`/v1/reconciliation/items/${explained}/decision`).then(() => undefined));
    expect(differing.filter((line) => !line.startsWith('read-model-match'))).to.have.length(1);
    expect(differing.join('\n')).to.contain('its decision differs');
  });

  it('names a step of the log at whose end reports came to something else', async () => {
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const database = new Database(generations.fileOf(generations.serving()));
    generations.close();
    // All of the only step but its first three events: those of now are still right, and so are the steps together.
    database.exec(`
      BEGIN;
      UPDATE steps SET no = 2, events = events - 3;
      UPDATE step_cells SET step = 2;
      INSERT INTO steps (no, up_to, events) SELECT 1, min(first_position) + 2, 3 FROM audit_chunks;
      COMMIT`);
    database.close();
    const named = await found(() => Promise.resolve());
    const differing = named.filter((line) => line.startsWith('read-model-report'));
    expect(differing.join('\n')).to.match(/^read-model-report-differs step 1 of cell (on|off)ramp created day/);
    expect(differing.filter((line) => !/ step [12] of cell /.test(line))).to.deep.equal([]);
  });

  it('names an order that an index no longer finds', async () => {
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const database = new Database(generations.fileOf(generations.serving()));
    generations.close();
    const { changes } = database.prepare(`DELETE FROM term_runs WHERE kind = 'order'`).run();
    database.close();
    expect(changes).to.be.greaterThan(0);
    const named = await found(() => Promise.resolve());
    expect(named).to.include('read-model-order-differs an index lacks what it is found by');
  });
});
