import { expect } from 'chai';
import { askedBy } from '../../src/access/asker.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { startReadModels } from '../../src/threads/threaded-read-models.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MANY = 200;

describe('questions to the query thread', () => {
  it('of one key hardly delay those of another, however many there are', async () => {
    const folder = temporaryFolder();
    const location = { dataDir: folder.path, file: `${folder.path}/events.db` };
    const store = right(await openServing(location, () => undefined));
    const readModels = startReadModels(
      { location: { kind: 'sqlite', ...location }, readModelFile: `${folder.path}/read-models.db`, timeZone: 'UTC' },
      () => undefined,
    );
    try {
      const ask = readModels.tallies(instantOf(0));
      right(await ask());
      let answered = 0;
      const greedy = Array.from({ length: MANY }, () =>
        askedBy('greedy', async () => {
          right(await ask());
          answered += 1;
        }),
      );
      right(await askedBy('other', ask));
      expect(answered).to.be.lessThan(MANY / 4);
      await Promise.all(greedy);
    } finally {
      await readModels.close();
      await store.close();
      folder.remove();
    }
  });
});
