import type { Instant } from '../../domain/instant.ts';
import { entryBytes } from './entry-bytes.ts';
import { BEFORE_ALL, type SpoolFound, type SpoolRows } from './keeper-message.ts';

/** A delivery that waits behind all that is still to be counted. */
export type Come = {
  readonly key: string;
  readonly seq: number;
  readonly bodyBytes: number;
  readonly receivedAt: Instant;
};

/**
 * What was in the file of a spool when it was opened and is not counted yet, and what came since, which stands behind it
 * whatever it turns out to be: all that was there has lower places, so that this comes to an end however much comes.
 */
export class UncountedPart {
  readonly #usedBytes: number;
  #behind = BEFORE_ALL;
  #first: number | null = null;
  #isRead = false;
  readonly #come: Come[] = [];
  #comeBytes = 0;

  /** The highest place that was there. */
  readonly upTo: number;

  constructor({ highest, usedBytes }: Pick<SpoolFound, 'highest' | 'usedBytes'>) {
    this.upTo = highest;
    this.#usedBytes = usedBytes;
  }

  /** Up to this place all is counted. */
  get behind(): number {
    return this.#behind;
  }

  /** Whether all that was there is counted. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** How many wait that came since, and are not counted among the others. */
  get depth(): number {
    return this.#come.length;
  }

  /** About what all that is not counted among the others takes: of the file its share by places, until it is read. */
  get bytes(): number {
    const share = this.#first === null ? 1 : (this.upTo - this.#behind) / (this.upTo - this.#first + 1);
    return this.#comeBytes + (this.#isRead ? 0 : Math.ceil(this.#usedBytes * share));
  }

  /** These rows are counted now. */
  counted({ rows, isLast }: SpoolRows): void {
    this.#first ??= rows[0]?.seq ?? null;
    this.#behind = rows.at(-1)?.seq ?? this.#behind;
    this.#isRead = isLast;
  }

  /** One more came. */
  add(one: Come): void {
    this.#come.push(one);
    this.#comeBytes += entryBytes(one.bodyBytes);
  }

  /** Gives so many of those that came, in order of arrival: they are counted among the others from now on. */
  take(most: number): readonly Come[] {
    const taken = this.#come.splice(0, most);
    for (const { bodyBytes } of taken) this.#comeBytes -= entryBytes(bodyBytes);
    return taken;
  }
}
