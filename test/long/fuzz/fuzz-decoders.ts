import { DECODERS } from './decoders.ts';
import { mutator, seeded } from './mutations.ts';

/** What a run of the fuzzer came to. */
export type FuzzFigures = {
  readonly inputs: number;
  /** Those that a decoder threw on, a few of them: decoder, error, the input in base64. */
  readonly thrown: readonly string[];
  readonly slowestMs: number;
  readonly slowest: string;
  /** Of the heap behind a collection, after a tenth of the run and at its end, in bytes. */
  readonly heapBytes: readonly [early: number, late: number];
};

const FEW = 20;

const heapNow = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

/** Gives so many inputs to the decoders in turns, the same ones for the same seed. */
export const fuzzDecoders = (inputs: number, seed: number, onProgress: (done: number) => void): FuzzFigures => {
  const random = seeded(seed);
  const decoders = DECODERS.map(({ name, corpus, read }) => ({ name, read, next: mutator(corpus, random) }));
  const thrown: string[] = [];
  let [slowestMs, slowest] = [0, ''];
  let early = 0;
  for (let i = 0; i < inputs; i += 1) {
    const decoder = decoders[i % decoders.length];
    if (decoder === undefined) break;
    const input = decoder.next();
    const since = performance.now();
    try {
      decoder.read(input);
    } catch (error) {
      if (thrown.length < FEW) thrown.push(`${decoder.name}: ${String(error)}: ${input.toString('base64')}`);
    }
    const ms = performance.now() - since;
    if (ms > slowestMs) [slowestMs, slowest] = [ms, `${decoder.name}: ${input.toString('base64')}`];
    if (i === Math.floor(inputs / 10)) early = heapNow();
    if (i % 100_000 === 0) onProgress(i);
  }
  return { inputs, thrown, slowestMs, slowest, heapBytes: [early, heapNow()] };
};
