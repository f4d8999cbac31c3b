/** A metric of a page. */
type Family = { readonly name: string; readonly type: string; readonly help: string };

type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A page in Prometheus' text format, read. */
export type Exposition = {
  readonly families: readonly Family[];
  readonly samples: readonly Sample[];
  /** The metric that a sample of this name belongs to; null for none. */
  readonly familyOf: (name: string) => Family | null;
  /** The labels of a sample's name, and the values that they have on the page. */
  readonly labelsOf: (name: string) => ReadonlyMap<string, ReadonlySet<string>>;
  /** The value of the one sample of this name and these labels; null where there is none. */
  readonly valueOf: (name: string, labels?: Readonly<Record<string, string>>) => number | null;
};

const HELP = /^# HELP (\w+) (.*)$/;
const TYPE = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/;
/** Prometheus reads `Nan`, which prom-client writes, as any spelling. */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[-+]?Inf|[-+.\deE]+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)",?/y;

const readLabels = (text: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '') throw new Error(`labels that can't be read: ${text}`);
    labels[name] = value;
  }
  return labels;
};

/**
 * Reads a page strictly.
 *
 * @throws Error at a line that is none of the format, a metric that is there twice, or a sample without one
 */
export const readExposition = (text: string): Exposition => {
  const families = new Map<string, Family>();
  const samples: Sample[] = [];
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  const familyOf = (name: string): Family | null =>
    families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, '')) ?? null;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [help, type, sample] = [HELP.exec(line), TYPE.exec(line), SAMPLE.exec(line)];
    if (help !== null) helps.set(help[1] ?? '', help[2] ?? '');
    else if (type !== null) {
      const [, name = '', kind = ''] = type;
      if (families.has(name)) throw new Error(`${name} is there twice`);
      families.set(name, { name, type: kind, help: helps.get(name) ?? '' });
    } else if (sample === null) throw new Error(`no line of the format: ${line}`);
    else {
      const [, name = '', labels = '', value = ''] = sample;
      const key = `${name}{${labels}}`;
      if (seen.has(key)) throw new Error(`${key} is there twice`);
      if (familyOf(name) === null) throw new Error(`${name} belongs to no metric`);
      seen.add(key);
      samples.push({ name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) });
    }
  }
  return {
    families: [...families.values()],
    samples,
    familyOf,
    labelsOf: (name) => {
      const labels = new Map<string, Set<string>>();
      for (const sample of samples) {
        if (sample.name !== name) continue;
        for (const [label, value] of Object.entries(sample.labels)) {
          labels.set(label, (labels.get(label) ?? new Set()).add(value));
        }
      }
      return labels;
    },
    valueOf: (name, labels = {}) => {
      const found = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.keys(sample.labels).length === Object.keys(labels).length &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
      return found[0]?.value ?? null;
    },
  };
};
