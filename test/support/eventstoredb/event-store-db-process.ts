import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { right } from '../right.ts';
import { within } from '../within.ts';

/** A double in a process of its own, for what no process can do to itself. Its log is gone with it. */
export type EventStoreDbProcess = {
  readonly url: string;
  /** Stops the process: connections stay open and nothing answers on them, pings of HTTP/2 included. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Ends it at once, whatever is under way. */
  readonly kill: () => Promise<void>;
  /** Ends it in order, frozen or not. */
  readonly end: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const START_MS = 15_000;
const END_MS = 5_000;

const ListeningLine = t.type({ msg: t.literal('listening'), url: t.string });

/** Starts a double; without a port on any free one. */
export const startEventStoreDbProcess = async (port = 0): Promise<EventStoreDbProcess> => {
  const child = spawn(process.execPath, [MAIN, String(port)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const signal = (name: NodeJS.Signals): void => {
    child.kill(name);
  };
  const killNow = (): void => signal('SIGKILL');
  process.once('exit', killNow);
  const closed = once(child, 'close').then(() => process.off('exit', killNow));

  const listening = new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.endsWith('\n')) resolve(out);
    });
    child.once('close', () => reject(new Error('the double ended before it was listening')));
  });
  const line = await within(START_MS, listening, 'the double to be listening');

  const ended = async (): Promise<void> => {
    await within(END_MS, closed, 'the double to end');
  };
  return {
    url: right(ListeningLine.decode(JSON.parse(line))).url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: async () => {
      killNow();
      await ended();
    },
    end: async () => {
      signal('SIGTERM');
      // A stopped process gets it only once it goes on.
      signal('SIGCONT');
      await ended();
    },
  };
};
