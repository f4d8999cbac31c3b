import { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import type { OnBuildProgress } from '../../read-models/build-progress.ts';
import type { Terminal } from '../command-context.ts';

/** Progress of a build of the read models; `stop` takes the bar away again. */
export type ProgressBar = { readonly onProgress: OnBuildProgress; readonly stop: () => void };

/** The width of the narrowest usual terminal. A longer line is cut off, since one that wraps can't be drawn over. */
const COLUMNS = 80;
const BAR_COLUMNS = 24;

/** What cli-progress writes to. It says that it is a terminal, since cli-progress draws on nothing else. */
export const terminalStream = (draw: Terminal['draw']): NodeJS.WritableStream =>
  Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        draw(chunk.toString());
        done();
      },
    }),
    { isTTY: true, columns: COLUMNS },
  );

/**
 * A bar with the share that is done, the events (or lines, or MiB) and how many of them a second, on a person's terminal only. It
 * appears with the first progress, so that nothing flickers where nothing is built. It changes no settings of the terminal:
 * when a signal ends the command, nothing has to be restored.
 */
export const progressBar = (
  { interactive, draw }: Terminal,
  title: string,
  now: () => Instant,
  unit: 'events' | 'lines' | 'MiB' = 'events',
): ProgressBar => {
  if (!interactive) return { onProgress: () => undefined, stop: () => undefined };
  const startedAt = epochMsOf(now());
  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const bar = new SingleBar({
    format: `${title} [{bar}] {percentage}%  {read} ${unit}, {rate}/s`,
    stream: terminalStream(draw),
    barsize: BAR_COLUMNS,
    clearOnComplete: true,
    linewrap: true,
  });
  return {
    onProgress: (share, events) => {
      const rate = (events * 1000) / Math.max(1, epochMsOf(now()) - startedAt);
      const figures = { read: whole.format(events), rate: whole.format(rate) };
      if (bar.isActive) bar.update(share, figures);
      else bar.start(1, share, figures);
    },
    stop: () => bar.stop(),
  };
};
