import type { Position } from '../../domain/ids.ts';
import { Recent } from '../../domain/recent.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { liveEventText } from './live-event-text.ts';
import type { LivePersonalData } from './live-feed.ts';

/** Events whose text is kept, of each way to mask: of some KB each, of half a MB where somebody has made their bodies so. */
const TEXTS = 2_000;
const MOST_BYTES = 32 * 1_048_576;

/** The texts of the last events as bytes, so that all who follow at the head share them. One that is not kept is made anew. */
export class LiveTexts {
  readonly #kept: Readonly<Record<LivePersonalData, Recent<Position, Buffer>>>;

  /** @param mostBytes what those that are kept come to at the most, of each way to mask */
  constructor(mostBytes = MOST_BYTES) {
    const weightOf = (text: Buffer): number => text.length + mostBytes / TEXTS;
    this.#kept = { masked: new Recent(mostBytes, weightOf), guarded: new Recent(mostBytes, weightOf) };
  }

  of(event: RecordedEvent, personal: LivePersonalData): Buffer {
    const known = this.#kept[personal].get(event.position);
    if (known !== undefined) return known;
    const text = Buffer.from(liveEventText(event, personal));
    this.#kept[personal].put(event.position, text);
    return text;
  }
}
