import { DURATION_BUCKETS } from './duration-buckets.ts';

type Labels = Readonly<Record<string, string>>;

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

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelsText = (labels: Labels): string => {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
};

/**
 * A histogram of durations in seconds, counted in numbers: texts are made where the page is asked for. prom-client's own
 * puts texts of the labels and of a border together for each duration, which takes ten times as long.
 */
export class DurationHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series: { readonly labels: Labels; readonly series: DurationSeries }[] = [];

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** Begins the series of these labels, which come once: it is on the page from now on. */
  begin(labels: Labels = {}): DurationSeries {
    const series = new DurationSeries();
    this.#series.push({ labels, series });
    return series;
  }

  /** Its lines in Prometheus' text format. */
  page(): string {
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    return [...head, ...this.#series.flatMap(({ labels, series }) => this.#lines(labels, series))].join('\n');
  }

  #lines(labels: Labels, { counts, sum }: DurationSeries): readonly string[] {
    let count = 0;
    const buckets = counts.map((own, i) => {
      count += own;
      const le = String(DURATION_BUCKETS[i] ?? '+Inf');
      return `${this.#name}_bucket${labelsText({ le, ...labels })} ${count}`;
    });
    const own = labelsText(labels);
    return [...buckets, `${this.#name}_sum${own} ${sum}`, `${this.#name}_count${own} ${count}`];
  }
}
