import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import { parse } from 'yaml';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES } from '../../projections/order-state/index.ts';
import { everyMetric } from '../support/every-metric.ts';
import type { Exposition } from '../support/exposition.ts';
import { parsePromQl, type PromQl, type Selector } from '../support/promql.ts';
import { right } from '../support/right.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

const Alerts = t.type({
  groups: t.array(
    t.type({
      rules: t.array(
        t.intersection([
          t.type({
            alert: t.string,
            expr: t.string,
            labels: t.type({ severity: t.keyof({ critical: null, warning: null }) }),
            annotations: t.type({ summary: t.string, description: t.string }),
          }),
          t.partial({ for: t.string }),
        ]),
      ),
    }),
  ),
});

const Target = t.type({ expr: t.string, legendFormat: t.string });
const Dashboard = t.type({
  panels: t.array(t.intersection([t.type({ id: t.number, title: t.string }), t.partial({ targets: t.array(Target) })])),
  templating: t.type({ list: t.array(t.type({ query: t.union([t.string, t.type({ query: t.string })]) })) }),
});

/** What Prometheus adds to each series. */
const OF_THE_TARGET = ['job', 'instance'];

/** Labels whose values are all there from the start, so that a matcher can be held to them. */
const ENUMERATED = new Set(['outcome', 'code', 'result', 'flow']);

const COUNTING = new Set(['rate', 'increase']);

describe('docs/observability', () => {
  const rules = right(Alerts.decode(parse(textOf('observability/alerts.yml')))).groups.flatMap((group) => group.rules);
  const dashboard = right(Dashboard.decode(JSON.parse(textOf('observability/dashboard.json'))));
  const targets = dashboard.panels.flatMap(({ targets: its = [] }) => its);
  let there: Exposition;
  before(async () => {
    there = await everyMetric();
  });

  /** What is wrong with a selector; null where nothing is. */
  const wrongWith = ({ name, matchers, range, within }: Selector): string | null => {
    const family = there.familyOf(name);
    if (family === null) return `there is no ${name}`;
    const labels = there.labelsOf(name);
    for (const { label, op, value } of matchers) {
      if (!labels.has(label) && !OF_THE_TARGET.includes(label)) return `${name} has no label ${label}`;
      const values = [...(labels.get(label) ?? [])];
      const matches = (one: string): boolean =>
        op.endsWith('~') ? new RegExp(`^(?:${value})$`).test(one) : one === value;
      if (
        ENUMERATED.has(label) &&
        value.split('|').some((part) => !values.some((one) => new RegExp(`^(?:${part})$`).test(one)))
      ) {
        return `${label} of ${name} is never ${value}`;
      }
      if (ENUMERATED.has(label) && !values.some(matches)) return `${label} of ${name} is never ${value}`;
    }
    const isCounting = within !== null && COUNTING.has(within);
    if (isCounting !== (family.type !== 'gauge') && within !== 'delta') return `${name} is a ${family.type}`;
    if (within === 'delta' && family.type !== 'gauge') return `${name} is no gauge`;
    return (range !== null) === (isCounting || within === 'delta') ? null : `${name} over ${range ?? 'no range'}`;
  };

  const check = (expr: string): PromQl => {
    const parsed = parsePromQl(expr);
    expect(
      parsed.selectors.map(wrongWith).filter((wrong) => wrong !== null),
      expr,
    ).to.deep.equal([]);
    const labels = new Set([
      ...OF_THE_TARGET,
      ...parsed.selectors.flatMap(({ name }) => [...there.labelsOf(name).keys()]),
    ]);
    for (const label of parsed.grouping) expect(labels, expr).to.include(label);
    return parsed;
  };

  /** Every label of a template is one of the expression's result. */
  const checkTemplate = (template: string, pattern: RegExp, { selectors, resultLabels }: PromQl): void => {
    const labels = resultLabels ?? [
      ...OF_THE_TARGET,
      ...selectors.flatMap(({ name }) => [...there.labelsOf(name).keys()]),
    ];
    for (const [, label = ''] of template.matchAll(pattern)) expect(labels, template).to.include(label);
  };

  it('has alerts about metrics and labels that are there', () => {
    expect(rules.length).to.be.above(10);
    for (const { expr, annotations } of rules) {
      const parsed = check(expr);
      checkTemplate(annotations.description, /\$labels\.(\w+)/g, parsed);
    }
  });

  it('has durations that Prometheus reads', () => {
    for (const rule of rules) expect(rule.for ?? '1m', rule.alert).to.match(/^\d+[smhd]$/);
  });

  it('has a row in docs/operating.md for every alert, and an alert for every row', () => {
    const rows = [...textOf('operating.md').matchAll(/^\| `(RampLedger\w+)` +\| +(\S.*?) +\| +(\S.*?) +\|$/gm)];
    expect(rows.map(([, alert]) => alert)).to.deep.equal(rules.map(({ alert }) => alert));
  });

  it('has panels about metrics and labels that are there', () => {
    expect(targets.length).to.be.above(30);
    for (const { expr, legendFormat } of targets) {
      checkTemplate(legendFormat, /\{\{(\w+)\}\}/g, check(expr));
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length);
  });

  it('chooses ledgers by a metric that is there', () => {
    const queries = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    expect(queries).to.have.length(2);
    for (const query of queries) check(/^label_values\((.*), \w+\)$/.exec(query)?.[1] ?? '');
  });

  it('shows every metric of the ledger itself', () => {
    const shown = new Set(
      [...rules, ...targets].flatMap(({ expr }) =>
        parsePromQl(expr).selectors.map(({ name }) => there.familyOf(name)?.name),
      ),
    );
    const own = there.families.map(({ name }) => name).filter((name) => name.startsWith('ramp_ledger_'));
    // Its share says the same, and more.
    expect(own.filter((name) => !shown.has(name))).to.deep.equal(['ramp_ledger_read_models_building']);
  });

  it('names in conventions that Prometheus has', () => {
    for (const { name, type, help } of there.families.filter((family) => family.name.startsWith('ramp_ledger_'))) {
      expect(name.endsWith('_total'), name).to.equal(type === 'counter');
      if (type === 'histogram') expect(name).to.match(/_seconds$/);
      expect(name).to.not.match(/_(?:ms|millis|milliseconds|kb|mb|percent)\b/);
      expect(help, name).to.match(/\.$/);
    }
    expect([...(there.labelsOf('ramp_ledger_order_anomalies').get('code') ?? [])]).to.have.members([
      ...LASTING_ANOMALIES,
      ...CLOCK_ANOMALIES,
    ]);
  });
});
