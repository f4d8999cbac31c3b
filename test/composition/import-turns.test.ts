import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { importTurns } from '../../src/composition/import-turns.ts';
import { drawnLineKey } from '../../src/domain/line-key.ts';
import { LINE_IDS_KEYED } from '../../src/domain/own-event/line-key-events.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { ACCOUNT } from '../support/bank-files/booking.ts';
import { AUTHOR, imported } from '../support/bank-imports.ts';
import { right } from '../support/right.ts';
import { routeDoubles } from '../support/route-dependencies.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A statement of one fee, which the bank books before and behind others that are equal to it. */
const fee = (opening: number): Buffer =>
  Buffer.from(
    [
      `:20:X${opening}`,
      `:25:${ACCOUNT}`,
      `:28C:${opening}/1`,
      `:60F:C260910INR${opening},`,
      ':61:2609100910D5,NMSCNONREF',
      ':86:BANK FEE',
      `:62F:C260910INR${opening - 5},`,
      '-',
      '',
    ].join('\r\n'),
  );

/** A store as another process has it: nothing that is done one by one in this process is by who has it. */
const slow = (store: EventStore): EventStore => ({
  ...store,
  append:
    (...append) =>
    async () => {
      await wait(20);
      return await store.append(...append)();
    },
});

describe('imports of bank files on a data directory', () => {
  it('are decided one after the other by all processes: equal bookings of two files are two', async () => {
    const { path } = temporaryFolder();
    const doubles = routeDoubles();
    const process = () => {
      const store = slow(doubles.store);
      return { store, importTurn: importTurns(path, store) };
    };
    const its = await Promise.all([100, 95, 90].map((opening) => imported(doubles, fee(opening), process())));
    expect(its.map(({ statement }) => statement.newLines)).to.deep.equal([1, 1, 1]);
    const ids = new Set<string>();
    for (const { statement } of its) {
      const { statementId } = statement;
      const lines = right(await doubles.readModels.statementLines({ statementId, after: null, limit: 500 })());
      for (const { lineId } of lines.data) ids.add(lineId);
    }
    expect(ids.size).to.equal(3);
  });

  it('wait for one that is under way, know what it has come to, and say so where that takes too long', async () => {
    const { path } = temporaryFolder();
    const { store } = routeDoubles();
    const first = right(await importTurns(path, store)());
    expect(first.position).to.equal(null);
    expect(await importTurns(path, store, 120)()).to.deep.equal({
      _tag: 'Left',
      left: { _tag: 'Overloaded', by: 'imports' },
    });
    const asked = performance.now();
    // Whoever has waited so long behind others does not wait here once more.
    expect(await importTurns(path, store)(asked - 30_000)).to.have.nested.property('left._tag', 'Overloaded');
    expect(performance.now() - asked).to.be.lessThan(10_000);
    let isTaken = false;
    const second = importTurns(path, store)().then((turn) => {
      isTaken = true;
      return turn;
    });
    await wait(120);
    expect(isTaken).to.equal(false);
    const { stream, event } = ownEvent(LINE_IDS_KEYED, { key: drawnLineKey((size) => Buffer.alloc(size, 1)) }, AUTHOR);
    right(await store.append(stream, 'none', [event])());
    first.end();
    const taken = right(await second);
    expect(taken.position).to.equal(right(await store.head()()));
    taken.end();
    right(await importTurns(path, store, 0)()).end();
  });

  it('keep nobody away where the store is away, and need no folder that is there', async () => {
    const path = join(temporaryFolder().path, 'data');
    const away = {
      head: () => TE.left({ _tag: 'StoreUnavailable' as const, detail: 'away' }),
      readiness: () => ({ ready: true }) as const,
    };
    expect(await importTurns(path, away)()).to.have.nested.property('left._tag', 'StoreUnavailable');
    expect(existsSync(path)).to.equal(true);
    right(await importTurns(path, routeDoubles().store, 0)()).end();
    const file = join(path, 'imports.lock');
    expect(await importTurns(file, routeDoubles().store, 0)()).to.have.nested.property('left._tag', 'FileFailed');
  });

  it('wait until it is known what became of one that the disk has not answered', async () => {
    const { path } = temporaryFolder();
    const detail = 'the disk has not answered a write for 7 s';
    const { head } = routeDoubles().store;
    expect(await importTurns(path, { head, readiness: () => ({ ready: false, detail }) })()).to.deep.equal({
      _tag: 'Left',
      left: { _tag: 'StoreUnavailable', detail },
    });
    right(await importTurns(path, { head, readiness: () => ({ ready: true }) })()).end();
  });
});
