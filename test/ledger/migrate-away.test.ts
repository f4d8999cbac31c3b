import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { MigrationLogs } from '../../src/ledger/migrate.ts';
import { right } from '../support/right.ts';
import { between, content, filled, run, SOME } from './migration-scene.ts';

describe('migrate, of stores that can not be used', () => {
  it('waits about a minute for a store that is away, and says which one it is', async () => {
    for (const side of ['source', 'target'] as const) {
      const [source, copy] = [await filled(SOME), await filled(SOME.slice(0, 2))];
      (side === 'source' ? source : copy).takeAway('gone');
      let waited = 0;
      const pause = (ms: number): Promise<void> => {
        waited += ms;
        return Promise.resolve();
      };
      expect(await run(between(source, copy, { pause }))).to.deep.equal(
        E.left({ _tag: 'StoreAway', side, detail: 'gone' }),
      );
      expect(waited).to.be.within(50_000, 70_000);
    }
  });

  it('waits for no store whose pages are not what was written, wherever it turns out', async () => {
    const damaged = E.left({ _tag: 'StoreUnavailable' as const, detail: 'malformed', reason: 'Damaged' as const });
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses += 1;
      return Promise.resolve();
    };
    const never = () => () => Promise.resolve(damaged);
    async function* broken(): AsyncGenerator<typeof damaged, void> {
      yield damaged;
    }
    const [log, copy] = [await filled(SOME), await filled([])];
    for (const [source, target, side] of [
      [{ ...log, head: never }, copy, 'source'],
      [{ ...log, readAll: broken }, copy, 'source'],
      [log, { ...copy, append: never }, 'target'],
    ] as const) {
      expect(await run(between(source, target, { pause }))).to.deep.equal(
        E.left({ _tag: 'StoreDamaged', side, detail: 'malformed' }),
      );
    }
    expect(pauses).to.equal(0);
  });

  it('goes on where a store comes back in time, in the middle of a read too', async () => {
    const [source, copy] = [await filled(SOME), await filled([])];
    let reads = 0;
    /** Each read gives two events and breaks off, the first by an end without a word. */
    const breaking: MigrationLogs['source'] = {
      head: source.head,
      readAll: async function* (after) {
        let given = 0;
        reads += 1;
        for await (const event of source.readAll(after)) {
          if (given === 2) {
            if (reads > 1) yield E.left({ _tag: 'StoreUnavailable', detail: 'broken off' });
            return;
          }
          given += 1;
          yield event;
        }
      },
    };
    expect(right(await run(between(breaking, copy))).events).to.equal(SOME.length);
    expect(content(copy)).to.deep.equal(content(source));
  });
});
