import net from 'node:net';
import type { DeliveryPool } from './delivery-pool.ts';
import { createLatencyRecorder, type LatencyHistogram } from './latency-histogram.ts';
import { readReply } from './reply-reader.ts';

export type LoadOrder = {
  readonly host: string;
  readonly port: number;
  /** Kept-alive connections, each with one request under way at any time. */
  readonly connections: number;
  /** What the JSON of each reply must hold as `outcome`. */
  readonly outcome: string;
  /** The most to send; beyond the pool's count it is sent again from its beginning. */
  readonly deliveries: number;
  /** The longest to go on sending. */
  readonly seconds: number;
  /** So many evenly, their latency counted from when each was due; null: as fast as they are answered. */
  readonly perSecond: number | null;
};

/** What came back instead of the outcome: how often, and the first of its kind. */
type Failure = { readonly count: number; readonly sample: string };

export type LoadResult = {
  /** Replies as they should be. */
  readonly deliveries: number;
  /** From the first request to the last reply. */
  readonly seconds: number;
  readonly latency: LatencyHistogram;
  readonly failures: Readonly<Record<string, Failure>>;
};

const REPLY_ROOM = 16_384;
const SAMPLE_LENGTH = 600;
/** How long a server may take to answer what is under way at the end. */
const GRACE_SECONDS = 30;

type Lane = { readonly next: (now: number) => void; readonly giveUp: (why: string) => void };

/** How often it is looked whether a request is due. */
const TICK_MS = 1;

/** Opens a connection; `onBytes` gets each piece of input in a buffer that is used again for the next. */
const connect = (order: LoadOrder, onBytes: (bytes: Buffer) => void, onEnd: (why: string) => void) =>
  new Promise<net.Socket>((resolve, reject) => {
    const memory = Buffer.allocUnsafeSlow(REPLY_ROOM);
    const socket = net.connect({
      host: order.host,
      port: order.port,
      noDelay: true,
      onread: {
        buffer: memory,
        callback: (length) => {
          onBytes(memory.subarray(0, length));
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.once('error', (error) => onEnd(error.message));
      socket.once('close', () => onEnd('connection closed'));
      resolve(socket);
    });
  });

/** Sends the pool's requests over all connections, and checks every reply. */
export const runLoad = async (pool: DeliveryPool, order: LoadOrder): Promise<LoadResult> => {
  const recorder = createLatencyRecorder();
  const failures: Record<string, Failure> = {};
  const outcome = Buffer.from(`"outcome":${JSON.stringify(order.outcome)}`);
  let sent = 0;
  let good = 0;
  let startedAt = 0;
  let lastReplyAt = 0;
  let deadline = 0;

  /** Lanes that wait until the next request is due. */
  const idle: Lane[] = [];
  const dueAt = (now: number): number => (order.perSecond === null ? now : startedAt + (sent / order.perSecond) * 1000);
  const tick = (): void => {
    const now = performance.now();
    for (const lane of idle.splice(0)) lane.next(now);
  };

  const fail = (what: string, sample: string): void => {
    const earlier = failures[what];
    failures[what] = { count: (earlier?.count ?? 0) + 1, sample: earlier?.sample ?? sample.slice(0, SAMPLE_LENGTH) };
  };

  const openLane = async (done: () => void): Promise<Lane> => {
    let kept: Buffer | null = null;
    let sentAt = 0;
    let over = false;

    const end = (): void => {
      if (over) return;
      over = true;
      socket.destroy();
      done();
    };
    const next = (now: number): void => {
      if (over) return;
      if (sent >= order.deliveries || now >= deadline) return end();
      const due = dueAt(now);
      if (due > now) {
        idle.push(lane);
        return;
      }
      const request = pool.request(sent % pool.count);
      sent += 1;
      sentAt = due;
      socket.write(request);
    };
    const onBytes = (bytes: Buffer): void => {
      if (over) return;
      const input = kept === null ? bytes : Buffer.concat([kept, bytes]);
      const reply = readReply(input);
      if (reply === null) {
        kept = Buffer.from(input);
        return;
      }
      kept = null;
      const now = performance.now();
      recorder.record(now - sentAt);
      lastReplyAt = now;
      if (reply.status === 200 && input.indexOf(outcome, reply.bodyStart) >= 0) good += 1;
      else fail(reply.status === 200 ? 'another outcome' : `status ${reply.status}`, input.toString('latin1'));
      next(now);
    };
    const giveUp = (why: string): void => {
      if (!over) fail(why, '');
      end();
    };
    const lane: Lane = { next, giveUp };
    const socket = await connect(order, onBytes, giveUp);
    return lane;
  };

  let tooLong: NodeJS.Timeout | undefined;
  let ticker: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    let running = order.connections;
    const done = (): void => {
      running -= 1;
      if (running === 0) resolve();
    };
    const begin = async (): Promise<void> => {
      const lanes = await Promise.all(Array.from({ length: order.connections }, () => openLane(done)));
      startedAt = performance.now();
      deadline = startedAt + order.seconds * 1000;
      tooLong = setTimeout(
        () => {
          for (const lane of lanes) lane.giveUp(`no reply within ${GRACE_SECONDS} s of the end`);
        },
        (order.seconds + GRACE_SECONDS) * 1000,
      );
      if (order.perSecond !== null) ticker = setInterval(tick, TICK_MS);
      for (const lane of lanes) lane.next(performance.now());
    };
    begin().catch(reject);
  });
  clearTimeout(tooLong);
  clearInterval(ticker);
  return { deliveries: good, seconds: (lastReplyAt - startedAt) / 1000, latency: recorder.histogram(), failures };
};
