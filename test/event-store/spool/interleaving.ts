import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { Sha256 } from '../../../src/domain/ids.ts';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { SqliteSpool } from '../../../src/event-store/spool/sqlite-spool.ts';
import type { Spool, SpooledDelivery } from '../../../src/event-store/spool.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { KEYS, type Step } from './interleaved-steps.ts';
import { ScriptedKeeper } from './scripted-keeper.ts';
import { delivery, NOTE, turns } from './spool-scene.ts';

/** Until each trouble is over and all is written: seconds. */
const CALM_WITHIN = 50;

/** A delivery that was handed in, and what is known of it by now. */
type Handed = {
  readonly n: number;
  readonly key: string;
  readonly isAside: boolean;
  answer: 'none' | 'kept' | 'failed';
  isOver: boolean;
  /** Taken out by hand: what was read before may be given all the same. */
  isGone: boolean;
  /** Its turn was over before the process was killed, which may be nowhere in the file: then it waits once more. */
  mayBeBack: boolean;
};

const numberOf = (requestId: string): number => Number(requestId.slice('request-'.length));

/** A spool whose thread does what a test says, beside all that was handed in and promised. */
export class Interleaving {
  readonly #folder = temporaryFolder();
  readonly #file = `${this.#folder.path}/spool.db`;
  keeper = new ScriptedKeeper({ file: this.#file, locks: [] });
  readonly #handed: Handed[] = [];
  #spool: Spool | null = null;
  #second: () => void = () => undefined;
  /** What those wait for that were given a delivery, and whose turn is over later. */
  #held = Promise.withResolvers<void>();
  #isTampered = false;
  /** What was seen on the way that must not be. */
  readonly #wrong: string[] = [];
  #failed = 0;
  #settled = 0;
  /** Whose process was killed says nothing any more. */
  #lives = 0;
  /** How often the first count went on behind a start. */
  startsCounting = 0;

  async open(): Promise<void> {
    const opening = SqliteSpool.open(
      {
        mostBytes: 1e7,
        longestBody: 1_000,
        onNews: ({ _tag }) => {
          if (_tag === 'Vanished' && !this.#isTampered) this.#wrong.push('what nobody took out is said to be gone');
        },
        everySecond: (call) => {
          this.#second = call;
          return () => undefined;
        },
      },
      this.keeper,
    );
    this.keeper.answers();
    this.#spool = right(await opening);
  }

  get #open(): Spool {
    return this.#spool ?? expect.fail('it is not open');
  }

  async run(step: Step): Promise<void> {
    switch (step.step) {
      case 'put':
      case 'putAside':
        return this.#hand(step.key, step.step === 'putAside');
      case 'done':
      case 'setAside':
        void this.#settle(step.key, step.step === 'setAside', Promise.resolve());
        return undefined;
      case 'take':
        void this.#settle(step.key, false, this.#held.promise);
        return undefined;
      case 'settle':
        this.#held.resolve();
        this.#held = Promise.withResolvers();
        return undefined;
      case 'byHand':
        return this.#takeOutByHand(step.key);
      case 'answer':
        return this.keeper.answers(step.count);
      case 'die':
        return this.keeper.dies(step.count);
      case 'fail':
        return this.keeper.fails(step.fate);
      case 'noRoom':
        return this.keeper.findsNoRoom();
      case 'busy':
        return this.keeper.isBusy();
      case 'restart':
        return this.#restart();
      case 'turns':
        return turns();
      case 'seconds':
        for (let i = 0; i < step.count; i += 1) this.#second();
        return undefined;
      case 'mend':
        for (let i = 0; i < 2; i += 1) {
          this.#second();
          await turns();
          this.keeper.answers();
          await turns();
        }
        return undefined;
      case 'hang':
        for (let i = 0; i < 6; i += 1) this.#second();
        return undefined;
    }
  }

  /** Lets every trouble come to its end. */
  async calm(): Promise<void> {
    this.#held.resolve();
    for (let i = 0; i < CALM_WITHIN; i += 1) {
      this.#second();
      for (let round = 0; round < 6; round += 1) {
        this.keeper.answers();
        await turns();
      }
      const { ready, isCounting } = this.#open.state();
      if (ready.ready && !isCounting && i > 2) return;
    }
    expect.fail('it never comes to rest');
  }

  /** @returns how many puts failed, and how many turns were over before it came to rest */
  async check(): Promise<readonly [number, number]> {
    const settled = this.#settled;
    const { depth, setAside, bytes, oldestReceivedAt } = this.#open.state();
    const wait = this.#handed.filter(({ isAside, isOver, mayBeBack }) => !isAside && (!isOver || mayBeBack));
    const seen: number[] = [];
    for (const key of KEYS) {
      const ofKeyHanded = wait.filter((one) => one.key === key);
      const drained: number[] = [];
      for (let n = await this.#takeFirst(key); n !== null; n = await this.#takeFirst(key)) drained.push(n);
      expect(this.#open.holds(key)).to.equal(false);
      expect(drained, 'in order, each once').to.deep.equal([...new Set(drained)].toSorted((x, y) => x - y));
      const kept = ofKeyHanded.filter(({ answer, isOver }) => answer === 'kept' && !isOver).map(({ n }) => n);
      expect(drained, 'what was promised').to.include.members(kept);
      expect(ofKeyHanded.map(({ n }) => n)).to.include.members(drained);
      seen.push(...drained);
    }
    const oldest = seen.length === 0 ? null : delivery(Math.min(...seen)).receivedAt;
    // What was taken out by hand is found when it is asked for.
    if (!this.#isTampered)
      expect({ depth, oldestReceivedAt }).to.deep.equal({ depth: seen.length, oldestReceivedAt: oldest });
    const entries = this.#open.setAsideEntries()();
    await this.calm();
    const aside = right(await entries).map(({ bodySha256 }) => bodySha256);
    expect(new Set<Sha256>(aside).size, 'set aside once').to.equal(aside.length);
    // What was taken out by hand while it was given to somebody is counted as they set it aside, and is nowhere.
    if (this.#isTampered) expect(setAside).to.be.at.least(aside.length);
    else expect(setAside).to.equal(aside.length);
    for (const { n, isAside, answer } of this.#handed) {
      if (isAside && answer === 'kept') expect(aside).to.include(delivery(n).bodySha256);
    }
    expect(bytes).to.be.at.least(depth + setAside);
    const after = this.#open.state();
    const closing = this.#open.close();
    await turns();
    this.keeper.answers();
    await closing;
    expect(this.#wrong).to.deep.equal([]);
    expect(right(readSpoolState(this.#file)), 'the file').to.deep.include({
      depth: after.depth,
      ...(this.#isTampered ? {} : { bytes: after.bytes }),
      oldestReceivedAt: null,
    });
    return [this.#failed, settled];
  }

  async end(): Promise<void> {
    this.#folder.remove();
    await this.keeper.close();
  }

  /** The process is killed, and the next one finds what is in the file; what it was asked and had not done is done by nobody. */
  async #restart(): Promise<void> {
    const [spool, keeper] = [this.#open, this.keeper];
    this.#lives += 1;
    this.keeper = new ScriptedKeeper({ file: this.#file, locks: [] });
    keeper.dies(0);
    for (const one of this.#handed) one.mayBeBack ||= one.isOver && !one.isGone;
    await this.open();
    if (this.#open.state().isCounting) this.startsCounting += 1;
    void spool.close();
    await keeper.close();
  }

  #hand(key: string, isAside: boolean): void {
    const n = this.#handed.length + 1;
    const one: Handed = { n, key, isAside, answer: 'none', isOver: false, isGone: false, mayBeBack: false };
    this.#handed.push(one);
    const [spool, life] = [this.#open, this.#lives];
    const put = isAside ? this.#open.putAside(delivery(n), key, NOTE) : this.#open.put(delivery(n), key);
    void put().then((kept) => {
      if (life !== this.#lives) return undefined;
      one.answer = E.isRight(kept) ? 'kept' : 'failed';
      if (E.isLeft(kept)) this.#failed += 1;
      // Its turn may be over already, since it is counted before it is answered.
      else if (!isAside && !one.isOver && !spool.holds(key))
        this.#wrong.push(`${n} is not counted though it is promised`);
      return undefined;
    });
  }

  async #settle(key: string, isAside: boolean, until: Promise<void>): Promise<void> {
    const [before, life, spool] = [this.#over(), this.#lives, this.#open];
    const first = await spool.firstOf(key)();
    if (E.isLeft(first) || first.right === null) return;
    const one = this.#given(first.right, before);
    await until;
    // The turn of what somebody else was given too may be over: then this says nothing.
    if (isAside) spool.setAside(first.right, NOTE);
    else spool.done(first.right);
    if (life !== this.#lives) return;
    if (!one.isOver) this.#settled += 1;
    [one.isOver, one.mayBeBack] = [true, false];
  }

  /** Those whose turn is over and that the spool knows of. */
  #over(): ReadonlySet<Handed> {
    return new Set(this.#handed.filter(({ isOver, isGone, mayBeBack }) => isOver && !isGone && !mayBeBack));
  }

  /** What the spool gives was handed in, and its turn was not over before it was asked. */
  #given({ verified }: SpooledDelivery, before: ReadonlySet<Handed>): Handed {
    const one = this.#handed[numberOf(verified.requestId) - 1] ?? expect.fail('it was never handed in');
    if (before.has(one)) this.#wrong.push(`${one.n} was given though its turn was over`);
    return one;
  }

  #takeOutByHand(key: string): void {
    const other = new Database(this.#file);
    const taken = other
      .prepare<[string], { request_id: string }>(
        `DELETE FROM deliveries WHERE seq = (SELECT min(seq) FROM deliveries WHERE key = ?
           AND seq NOT IN (SELECT seq FROM set_aside)) RETURNING request_id`,
      )
      .all(key);
    other.close();
    for (const { request_id: id } of taken) {
      const one = this.#handed[numberOf(id) - 1];
      if (one !== undefined) [one.isOver, one.isGone] = [true, true];
      this.#isTampered = true;
    }
  }

  async #takeFirst(key: string): Promise<number | null> {
    const before = this.#over();
    const seen = { isRead: false };
    const reading = this.#open
      .firstOf(key)()
      .finally(() => {
        seen.isRead = true;
      });
    while (!seen.isRead) {
      this.keeper.answers();
      await turns();
    }
    const first = right(await reading);
    if (first === null) return null;
    const { n } = this.#given(first, before);
    this.#open.done(first);
    return n;
  }
}
