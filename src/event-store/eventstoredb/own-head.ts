import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { HeadHint, HeadHintFile, Mark } from './head-hint.ts';
import type { LogFollower } from './log-follower.ts';
import type { LogReader } from './log-reader.ts';

/** How many events are looked at from the end of the log, one by one: before the hint, and before the server filters all of it. */
export type Looks = { readonly few: number; readonly many: number };

const LOOKS: Looks = { few: 512, many: 50_000 };

type Answer<A> = Promise<E.Either<StoreUnavailable, A>>;

/** What was found from the end: the newest event of anybody's that can be named, and the newest of the ledger's. */
type Seen = { readonly passed: Mark | null; readonly own: Mark | null; readonly isAll: boolean };

const markOf = (position: Position, id: string): Mark => ({ position, id });

/**
 * Finds where the ledger's own events end in a log that others write to. The hint of an earlier time tells up to where
 * nothing has to be looked at again, if the log has the very events that it names.
 */
export class OwnHead {
  readonly #reader: LogReader;
  readonly #follower: LogFollower;
  readonly #hints: HeadHintFile;
  readonly #looks: Looks;

  constructor(reader: LogReader, follower: LogFollower, hints: HeadHintFile, looks = LOOKS) {
    this.#looks = looks;
    this.#reader = reader;
    this.#follower = follower;
    this.#hints = hints;
  }

  /** The last event, whoever wrote it; null for an empty log. */
  async end(): Answer<Mark | null> {
    const seen = await this.#fromTheEnd(this.#looks.few, false);
    return E.map(({ passed }: Seen) => passed)(seen);
  }

  /** Whether the log has this very event there: one that was put back from a backup may lack it, or have another one. */
  async has({ position, id }: Mark): Answer<boolean> {
    const there = await this.#reader.idAt(position);
    return E.map((found: string | null) => found === id)(there);
  }

  /** The position of the ledger's last event; null where there is none. */
  async find(): Answer<Position | null> {
    const near = await this.#fromTheEnd(this.#looks.few, true);
    if (E.isLeft(near)) return near;
    const { passed, own, isAll } = near.right;
    if (own !== null || isAll || passed === null) return this.#found(own, passed);
    const hint = await this.#checkedHint();
    if (E.isLeft(hint)) return hint;
    if (hint.right !== null) return this.#findBehind(hint.right, passed);
    const far = await this.#fromTheEnd(this.#looks.many, true);
    if (E.isLeft(far)) return far;
    return far.right.own === null && !far.right.isAll
      ? this.#findBehind({ last: null, passed: null }, passed)
      : this.#found(far.right.own, passed);
  }

  /** By a filter of the server, which passes over events ten times as fast as it sends them. */
  async #findBehind(
    { last, passed: from }: { readonly last: Mark | null; readonly passed: Mark | null },
    passed: Mark,
  ): Answer<Position | null> {
    let own = last;
    for await (const batch of this.#follower.between(from?.position ?? null, passed.position)) {
      if (E.isLeft(batch)) return batch;
      const event = batch.right.at(-1);
      if (event !== undefined) own = markOf(event.position, event.id);
    }
    return this.#found(own, passed);
  }

  #found(own: Mark | null, passed: Mark | null): E.Either<never, Position | null> {
    if (passed !== null) this.#hints.keep({ last: own, passed });
    return E.right(own?.position ?? null);
  }

  async #checkedHint(): Answer<HeadHint | null> {
    const hint = this.#hints.read();
    if (hint === null) return E.right(null);
    for (const mark of hint.last === null ? [hint.passed] : [hint.passed, hint.last]) {
      const has = await this.has(mark);
      if (E.isLeft(has)) return has;
      if (!has.right) return E.right(null);
    }
    return E.right(hint);
  }

  async #fromTheEnd(most: number, untilOwn: boolean): Answer<Seen> {
    let [passed, own, looked]: [Mark | null, Mark | null, number] = [null, null, 0];
    for await (const batch of this.#reader.backwards(most)) {
      if (E.isLeft(batch)) return batch;
      for (const { id, position, problem, isOwn } of batch.right) {
        looked += 1;
        if (position !== null) passed ??= markOf(position, id);
        if (isOwn && position === null) return E.left({ _tag: 'StoreUnavailable', detail: problem });
        if (isOwn && position !== null) own ??= markOf(position, id);
        const isFound = passed !== null && (own !== null || !untilOwn);
        // A server that goes on beyond what was asked for is not followed.
        if (isFound || looked >= most) return E.right({ passed, own, isAll: false });
      }
    }
    return E.right({ passed, own, isAll: true });
  }
}
