import * as E from 'fp-ts/lib/Either.js';
import { isOutage, type EventStore } from '../event-store/event-store.ts';
import { compared } from '../read-models/compared.ts';
import { areOfThisLog } from '../read-models/of-this-log.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { isSameName } from '../read-models/sqlite/ledger-names.ts';
import { openTarget, type OpenTarget } from '../read-models/sqlite/open-target.ts';
import { lyingIn, type Lying } from '../read-models/sqlite/serving-generation.ts';
import type { ProjectorNews, ProjectorOptions } from './projector-message.ts';

/**
 * Holds generations to the log of this ledger before anything is answered from them: they may be another ledger's, or of a log
 * that was put back from a backup.
 */
export class HeldToLog {
  readonly #store: EventStore;
  readonly #generations: Generations;
  readonly #options: ProjectorOptions;
  readonly #post: (news: ProjectorNews) => void;
  /** The stamp of the generation that is known to be of this log. */
  #known: number | null = null;
  /** Whether it is settled what is answered from first. */
  #isSettled = false;

  constructor(
    store: EventStore,
    generations: Generations,
    options: ProjectorOptions,
    post: (news: ProjectorNews) => void,
  ) {
    this.#store = store;
    this.#generations = generations;
    this.#options = options;
    this.#post = post;
  }

  /** The serving generation, of this log; null where there is none to follow yet; `failed`: it can't be told now, which was posted. */
  async opened(): Promise<OpenTarget | null | 'failed'> {
    let kept: boolean | 'failed' = 'failed';
    let target: OpenTarget | null = null;
    try {
      const { timeZone, matchSettings } = this.#options;
      target = openTarget(this.#generations, timeZone, matchSettings, undefined, this.#tellDamage);
      if (target === null) return null;
      kept = await this.#isKept(target);
    } catch (error) {
      this.#post({ _tag: 'Failed', detail: String(error), isOutage: false });
    }
    if (kept === true) return target;
    target?.close();
    return kept === false ? null : 'failed';
  }

  /** Has what lies there answer until it is built anew, as with another business time zone, where it is of this log. */
  async answerMeanwhile(): Promise<void> {
    if (this.#isSettled) return;
    // Whoever builds meets what can't be read, and says it.
    const lying = compared(
      () => lyingIn(this.#generations),
      () => null,
    );
    if (lying !== null) this.#stand(lying, await areOfThisLog(this.#store, lying.included)());
  }

  /** To be called where the log may have become another one: behind an outage of the store, say. */
  doubt(): void {
    this.#known = null;
  }

  readonly #tellDamage = (generation: number, detail: string): void => {
    this.#post({ _tag: 'Removed', generation, detail });
  };

  /** Whether a target is of this log, else it serves no longer; it is left open where it is. */
  async #isKept(target: OpenTarget): Promise<boolean | 'failed'> {
    const { stamp } = target;
    if (stamp === this.#known) return true;
    const included = target.included();
    const areOf = await areOfThisLog(this.#store, included)();
    if (E.isLeft(areOf)) {
      this.#stand({ stamp, included }, areOf);
      this.#post({ _tag: 'Failed', detail: areOf.left.detail, isOutage: isOutage(areOf.left) });
      return 'failed';
    }
    this.#isSettled = true;
    if (areOf.right) {
      this.#note(target);
      this.#known = stamp;
    } else {
      // Unless another build has replaced it meanwhile.
      this.#generations.swap(target.generation, 0);
      this.#post({ _tag: 'OfAnotherLog', generation: target.generation, checkpoint: included });
    }
    return areOf.right;
  }

  /** What follows goes into a generation of this log: where it includes nothing yet, it may have been anybody's. */
  #note({ generation }: OpenTarget): void {
    const { name = null } = this.#options;
    try {
      if (!isSameName(this.#generations.heldFor(), name)) this.#generations.hold(generation, name);
    } catch (error) {
      this.#post({ _tag: 'Failed', detail: String(error), isOutage: false });
    }
  }

  #areOwn(): boolean {
    return isSameName(this.#generations.heldFor(), this.#options.name ?? null);
  }

  /** Has a generation answer that is of this log, or that was held to it last and the log can't be asked about. */
  #stand({ stamp, included }: Lying, areOf: E.Either<unknown, boolean>): void {
    if (this.#isSettled || !(E.isRight(areOf) ? areOf.right : this.#areOwn())) return;
    this.#isSettled = true;
    this.#post({ _tag: 'Standing', stamp, checkpoint: included, isOfLog: E.isRight(areOf) });
  }
}
