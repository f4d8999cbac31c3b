import type { LoadGenerator } from './load-generator-process.ts';
import type { LoadResult } from './load-run.ts';
import { cpuTimeOf, cpuUse, type CpuUse } from './process-figures.ts';
import type { ServerProcess } from './server-process.ts';

/** Connections that are kept alive and always busy. */
export const CONNECTIONS = 64;

type StretchOrder = {
  readonly generator: LoadGenerator;
  readonly server: ServerProcess;
  /** The server that is not measured meanwhile; what it still does takes time from the one that is. */
  readonly other: ServerProcess;
  readonly outcome: string;
  readonly deliveries: number;
  readonly seconds: number;
};

/** One server under load from beginning to end; CPU figures are null where the system shows none. */
export type Stretch = LoadResult & {
  readonly perSecond: number;
  readonly cpu: {
    readonly server: CpuUse | null;
    readonly other: CpuUse | null;
    readonly generator: CpuUse | null;
  };
};

/** @throws Error on any reply that is not the expected one: a rate over refusals says nothing */
export const assertReplies = (result: LoadResult, outcome: string, server: ServerProcess): void => {
  const failures = Object.entries(result.failures);
  if (failures.length === 0) return;
  const lines = failures.map(([what, { count, sample }]) => `${count} × ${what}\n${sample}`);
  throw new Error(`replies other than "${outcome}":\n${lines.join('\n')}\n${server.complaints()}`.trim());
};

/** @throws Error as `assertReplies` does */
export const measureStretch = async (order: StretchOrder): Promise<Stretch> => {
  const { generator, server, other, outcome, deliveries, seconds } = order;
  const readings = () => ({ at: performance.now(), cpu: [server, other, generator].map(({ pid }) => cpuTimeOf(pid)) });
  const before = readings();
  const { host, port } = server;
  const load = { host, port, connections: CONNECTIONS, outcome, deliveries, seconds, perSecond: null };
  const result = await generator.run(load);
  const after = readings();
  assertReplies(result, outcome, server);
  const elapsed = (after.at - before.at) / 1000;
  const use = (i: number): CpuUse | null => cpuUse(before.cpu[i] ?? null, after.cpu[i] ?? null, elapsed);
  return {
    ...result,
    perSecond: result.deliveries / result.seconds,
    cpu: { server: use(0), other: use(1), generator: use(2) },
  };
};
