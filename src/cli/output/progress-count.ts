import { SingleBar } from 'cli-progress';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import type { Terminal } from '../command-context.ts';
import { terminalStream } from './progress-bar.ts';

/** Progress of what has no known end; `stop` takes the line away again. */
export type ProgressCount = { readonly add: (bytes: number) => void; readonly stop: () => void };

const MIB = 1_048_576;

/** A line with the MiB that were written so far and per second, on a person's terminal only. */
export const progressCount = ({ interactive, draw }: Terminal, title: string, now: () => Instant): ProgressCount => {
  if (!interactive) return { add: () => undefined, stop: () => undefined };
  const startedAt = epochMsOf(now());
  const line = new SingleBar({
    format: `${title}: {written} MiB, {rate} MiB/s`,
    stream: terminalStream(draw),
    clearOnComplete: true,
    linewrap: true,
  });
  let bytes = 0;
  return {
    add: (more) => {
      bytes += more;
      const seconds = Math.max(0.001, (epochMsOf(now()) - startedAt) / 1000);
      const figures = { written: (bytes / MIB).toFixed(1), rate: (bytes / MIB / seconds).toFixed(1) };
      if (line.isActive) line.update(bytes, figures);
      else line.start(0, bytes, figures);
    },
    stop: () => line.stop(),
  };
};
