import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Spool } from '../../../src/event-store/spool.ts';
import type { SpoolNews } from '../../../src/event-store/spool/spool-news.ts';
import { SqliteSpool } from '../../../src/event-store/spool/sqlite-spool.ts';
import { right } from '../../support/right.ts';
import { openSpoolHere } from '../../support/spool-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ScriptedKeeper } from './scripted-keeper.ts';
import { delivery, turns } from './spool-scene.ts';

const ROOM = { mostBytes: 1e9, longestBody: 1_000 };

/** A spool that holds much when it is opened, beside a keeper that counts two rows each time that a test lets it. */
export class CountingScene {
  readonly #folder = temporaryFolder();
  readonly file = `${this.#folder.path}/spool.db`;
  readonly keeper = new ScriptedKeeper({ file: this.file, locks: [] });
  readonly news: SpoolNews[] = [];
  #spool: Spool | null = null;
  #second: () => void = () => undefined;

  get spool(): Spool {
    return this.#spool ?? expect.fail('it is not open');
  }

  /** Has the n-th delivery wait for each of these keys, from the first on, in the file of no ledger that serves. */
  async holds(keys: readonly string[]): Promise<void> {
    const spool = right(await openSpoolHere(this.file));
    for (const [i, key] of keys.entries()) right(await spool.put(delivery(i + 1), key)());
    await spool.close();
  }

  /** Opens it with one answer of its keeper. */
  async open(): Promise<void> {
    const everySecond = (call: () => void): (() => void) => {
      this.#second = call;
      return () => undefined;
    };
    const opening = SqliteSpool.open({ ...ROOM, everySecond, onNews: (news) => this.news.push(news) }, this.keeper);
    expect(this.keeper.asked()).to.deep.equal(['Open']);
    this.keeper.answers(1);
    this.#spool = right(await opening);
    await turns();
  }

  /** The keeper answers so many questions, one after the other. */
  async answers(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      this.keeper.answers(1);
      await turns();
    }
  }

  /** A second passes, and what is asked then is answered. */
  async pass(): Promise<void> {
    this.#second();
    await turns();
    for (let i = 0; i < 20 && this.keeper.asked().length > 0; i += 1) await this.answers(1);
  }

  /** All that is asked is answered, until the count is over. */
  async counted(): Promise<void> {
    for (let i = 0; this.spool.state().isCounting; i += 1) {
      if (i > 100) expect.fail('the count does not end');
      await this.answers(1);
    }
  }

  /** What comes of it once the keeper has answered. */
  async kept<A>(work: () => Promise<A>): Promise<A> {
    const state = { isDone: false };
    const done = work().finally(() => {
      state.isDone = true;
    });
    await turns();
    for (let i = 0; !state.isDone; i += 1) {
      if (i > 100) expect.fail('it has no end');
      await this.answers(1);
    }
    return done;
  }

  /** Does something with the file as another program would. */
  byHand(sql: string): void {
    const other = new Database(this.file);
    other.exec(sql);
    other.close();
  }

  async end(): Promise<void> {
    const closing = this.#spool?.close();
    for (let i = 0; i < 5; i += 1) await this.answers(1);
    await closing;
    this.#folder.remove();
  }
}
