import { request, type IncomingMessage } from 'node:http';
import { until } from './until.ts';

type LiveEvent = { readonly id: string; readonly event: string; readonly data: string };

/** A client of `GET /v1/events/live` that reads as fast as it comes. */
export type LiveStream = {
  readonly response: IncomingMessage;
  readonly events: () => readonly LiveEvent[];
  readonly text: () => string;
  /** Waits for so many events. */
  readonly some: (count: number) => Promise<readonly LiveEvent[]>;
  /** Waits for the end; whether it came as an end, not as a cut. */
  readonly ended: () => Promise<boolean>;
  readonly close: () => void;
};

const PATIENCE_MS = 5_000;

const eventIn = (block: string): LiveEvent | null => {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [id, event, data] = [field('id'), field('event'), field('data')];
  return id === undefined || event === undefined || data === undefined ? null : { id, event, data };
};

/** Opens a stream; it resolves with the head of the answer. */
export const liveStream = (url: string, key: string, lastEventId?: string): Promise<LiveStream> =>
  new Promise((resolve, reject) => {
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    };
    const sent = request(new URL('/v1/events/live', url), { agent: false, headers }, (response) => {
      const got: { text: string; end: boolean | null } = { text: '', end: null };
      response.setEncoding('utf8').on('data', (part: string) => (got.text += part));
      response.on('end', () => (got.end = true)).on('error', () => (got.end ??= false));
      const events = (): readonly LiveEvent[] =>
        got.text
          .split('\n\n')
          .slice(0, -1)
          .map(eventIn)
          .filter((event) => event !== null);
      resolve({
        response,
        events,
        text: () => got.text,
        some: (count) =>
          until(PATIENCE_MS, `${count} live events`, () => Promise.resolve(events().length >= count ? events() : null)),
        ended: () => until(PATIENCE_MS, 'the end of a live stream', () => Promise.resolve(got.end)),
        close: () => sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
