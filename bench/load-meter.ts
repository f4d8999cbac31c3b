import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Position } from '../src/domain/ids.ts';
import { comparePositions, PositionText } from '../src/domain/position.ts';
import type { Post } from '../src/sandbox/post.ts';
import { createLatencyRecorder, mergeHistograms, type LatencyHistogram } from './latency-histogram.ts';

/** What was answered last, and when by the clock that only measures. */
type LatestAnswer = { readonly position: Position; readonly atMs: number };

/** Deliveries of a stretch of time. */
type Stretch = { readonly accepted: number; readonly latency: LatencyHistogram };

/** A sender that measures what it sends. */
export type LoadMeter = Post & {
  /** Ends a stretch and begins the next one. */
  readonly cut: () => Stretch;
  /** Of the stretch so far. */
  readonly accepted: () => number;
  readonly latest: () => LatestAnswer | null;
  /** Of all that was answered, the one furthest along the log. */
  readonly furthest: () => Position | null;
};

const Accepted = t.type({ position: PositionText });

const ACCEPTED = 200;

/** Puts a meter before a sender. Latencies are from sending to the last byte of the answer, refusals left out. */
export const loadMeter = ({ post, close }: Post): LoadMeter => {
  let recorder = createLatencyRecorder();
  let accepted = 0;
  let latest: LatestAnswer | null = null;
  let furthest: Position | null = null;
  return {
    close,
    post: async (signed) => {
      const answer = await post(signed);
      if (!('status' in answer) || answer.status !== ACCEPTED) return answer;
      accepted += 1;
      recorder.record(answer.durationMs);
      const read = Accepted.decode(JSON.parse(answer.body));
      if (E.isLeft(read)) throw new Error(`a delivery was answered ${answer.body}`);
      const { position } = read.right;
      latest = { position, atMs: performance.now() };
      if (comparePositions(position, furthest) > 0) furthest = position;
      return answer;
    },
    cut: () => {
      const stretch = { accepted, latency: recorder.histogram() };
      recorder = createLatencyRecorder();
      accepted = 0;
      return stretch;
    },
    accepted: () => accepted,
    latest: () => latest,
    furthest: () => furthest,
  };
};

export const joined = (stretches: readonly Stretch[]): Stretch => ({
  accepted: stretches.reduce((sum, { accepted }) => sum + accepted, 0),
  latency: mergeHistograms(stretches.map(({ latency }) => latency)),
});
