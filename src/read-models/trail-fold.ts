import { auditMark } from '../../projections/audit-trail/index.ts';
import type { Position } from '../domain/ids.ts';
import { positionNumber } from '../domain/position.ts';
import type { EventHeader } from '../domain/recorded-event.ts';
import { markOf } from './audit-chunk.ts';
import { MarkLoad, type LoadedMarks } from './loaded-marks.ts';
import { TermDigest, type TermDigestData } from './term-digest.ts';

/** What some events of the log come to in the trail. */
export type FoldedTrail = { readonly marks: LoadedMarks; readonly terms: TermDigestData };

/** Gathers what the trail has to say of events, in any order, up to a position. */
export class TrailFold {
  readonly #last: number;
  #marks = new MarkLoad();
  #terms = new TermDigest();

  constructor(upTo: Position | null) {
    this.#last = upTo === null ? -1 : positionNumber(upTo);
  }

  add(event: EventHeader): void {
    if (positionNumber(event.position) > this.#last) return;
    const audit = auditMark(event);
    const mark = markOf(audit);
    this.#marks.add(mark);
    for (const term of audit.terms) this.#terms.add(term, mark.position);
  }

  /** How many events were gathered. */
  get size(): number {
    return this.#marks.size;
  }

  /** What was gathered so far; nothing is left behind. */
  take(): FoldedTrail {
    const taken = { marks: this.#marks.loaded(), terms: this.#terms.data };
    this.#marks = new MarkLoad();
    this.#terms = new TermDigest();
    return taken;
  }
}
