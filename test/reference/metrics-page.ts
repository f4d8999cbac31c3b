import { everyMetric } from '../support/every-metric.ts';
import { code, table } from './table.ts';

const SERIES: Readonly<Record<string, readonly string[]>> = { histogram: ['_count', '_sum', '_bucket'] };

/** Every metric of the ledger's own, with its labels. */
export const metricsPage = async (): Promise<string> => {
  const page = await everyMetric();
  const rows = page.families
    .filter(({ name }) => name.startsWith('ramp_ledger_'))
    .map(({ name, type, help }) => {
      const labels = new Set(
        [name, ...(SERIES[type] ?? []).map((end) => name + end)].flatMap((one) => [...page.labelsOf(one).keys()]),
      );
      labels.delete('le');
      return [code(name), type, [...labels].toSorted().map(code).join(', '), help];
    });
  return `# Metrics

\`GET /metrics\`, in Prometheus' text format and in base units. Beside these there are those of the process (\`process_…\`, \`nodejs_…\`). [Alert rules and a dashboard](../observability) use them.

${table(['metric', 'type', 'labels', 'means'], rows)}
`;
};
