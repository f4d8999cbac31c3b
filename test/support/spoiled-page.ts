import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';

const PAGE = 4_096;

/** The page in the middle of those of a store's file that hold events. */
export const middlePage = (file: string): number => {
  const database = new Database(file, { readonly: true });
  const pages = database
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY pageno")
    .pluck()
    .all();
  database.close();
  return pages[Math.floor(pages.length / 2)] ?? expect.fail('a page of events');
};

/** Has a page of a file go bad, as a disk does that fails. */
export const spoilPage = (file: string, page: number): void => {
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(PAGE, 0xaa), 0, PAGE, (page - 1) * PAGE);
  closeSync(fd);
};
