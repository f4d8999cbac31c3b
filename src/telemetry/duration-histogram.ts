import { Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './duration-buckets.ts';

type Labels = Readonly<Record<string, string>>;

/** A line of the page: its name, its border, and the labels of its series. */
type Line = {
  readonly metricName: string;
  readonly labels: { readonly le?: number | string };
  readonly sharedLabels: Labels;
  readonly value: number;
};

/** prom-client's histogram, which asks for its lines when it writes the page. */
class LibraryHistogram extends Histogram {
  readonly #about: { readonly name: string; readonly help: string };
  readonly #lines: () => Line[];

  constructor(about: { readonly name: string; readonly help: string }, lines: () => Line[]) {
    super({ ...about, buckets: DURATION_BUCKETS, registers: [] });
    this.#about = about;
    this.#lines = lines;
  }

  /** What prom-client calls of each metric that it writes. */
  getForPromString() {
    return Promise.resolve({ ...this.#about, type: 'histogram', aggregator: 'sum', values: this.#lines() });
  }
}

/** Durations under one set of labels. */
export class DurationSeries {
  /** How many fell between each border and the one below it; those above the last border come last. */
  readonly counts = DURATION_BUCKETS.map(() => 0).concat(0);
  #sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > (DURATION_BUCKETS[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** All of them together, in seconds. */
  get sum(): number {
    return this.#sum;
  }
}

/**
 * A histogram of durations in seconds, counted in numbers: prom-client makes its lines when the page is asked for. Its own
 * puts texts of the labels and of a border together for each duration, which takes ten times as long.
 */
export class DurationHistogram {
  readonly #name: string;
  readonly #series: { readonly labels: Labels; readonly series: DurationSeries }[] = [];

  /** @param name of letters and underscores, registered nowhere else in the registry */
  constructor(registry: Registry, name: string, help: string) {
    this.#name = name;
    const lines = (): Line[] => this.#series.flatMap(({ labels, series }) => this.#lines(labels, series));
    registry.registerMetric(new LibraryHistogram({ name, help }, lines));
  }

  /** Begins the series of these labels, which come once: it is on the page from now on. */
  begin(labels: Labels = {}): DurationSeries {
    const series = new DurationSeries();
    this.#series.push({ labels, series });
    return series;
  }

  #lines(sharedLabels: Labels, { counts, sum }: DurationSeries): readonly Line[] {
    let count = 0;
    const buckets = counts.map((own, i): Line => {
      count += own;
      const le = DURATION_BUCKETS[i] ?? '+Inf';
      return { metricName: `${this.#name}_bucket`, labels: { le }, sharedLabels, value: count };
    });
    const of = (what: 'sum' | 'count', value: number): Line => ({
      metricName: `${this.#name}_${what}`,
      labels: {},
      sharedLabels,
      value,
    });
    return [...buckets, of('sum', sum), of('count', count)];
  }
}
