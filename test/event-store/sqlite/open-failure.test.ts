import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openFailure } from '../../../src/event-store/sqlite/schema.ts';

/** What SQLite ends with where a file finds no room for one page more. */
const withoutRoom = (): unknown => {
  const database = new Database(':memory:');
  try {
    database.pragma('max_page_count = 1');
    database.exec('CREATE TABLE large (bytes BLOB)');
    return expect.fail('there was room');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
};

describe('a file that SQLite can not go on with', () => {
  it('wants room where its disk is full, and nothing else', () => {
    expect(openFailure(withoutRoom(), 'events.db')).to.deep.include({
      detail: "events.db can't be written (database or disk is full)",
      cure: 'make room',
    });
    expect(openFailure(new Error('unable to open database file'), 'events.db')).to.deep.include({
      detail: "events.db can't be opened (unable to open database file)",
      cure: 'see that the file and its folder can be written',
    });
  });
});
