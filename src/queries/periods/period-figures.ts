import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as t from 'io-ts';
import { facetKey, measuresEq, measuresGroup, type Basis, type ReportCell } from '../../../projections/report/index.ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import { readFacet } from '../../read-models/stored-facet.ts';
import { readMeasures, storedMeasures } from '../../read-models/stored-measures.ts';

/** The cells of both reports of a month, by both bases; `period` of each is its day. */
export type PeriodFigures = Readonly<Record<Flow, Readonly<Record<Basis, readonly ReportCell[]>>>>;

export const BASES: readonly Basis[] = ['created', 'settled'];

/** The form below. Another one gets another number, and this one goes on being read: closed figures never change. */
const FORM = 1;

/** Classes of orders, and for each flow and basis the cells: day, class, orders, fiat, and the rest where it is not zero. */
const Packed = t.type({
  form: t.literal(FORM),
  classes: t.array(t.string),
  cells: t.array(t.array(t.tuple([t.string, t.number, t.number, t.string, t.union([t.string, t.null])]))),
});

const COMBINATIONS = FLOWS.flatMap((flow) => BASES.map((basis) => ({ flow, basis })));

/** Cells of equal day and class as one, those that come to nothing left out. */
const summed = (cells: readonly ReportCell[]): readonly ReportCell[] => {
  const sums = new Map<string, ReportCell>();
  for (const cell of cells) {
    const key = `${cell.period} ${facetKey(cell.facet)}`;
    const known = sums.get(key);
    sums.set(
      key,
      known === undefined ? cell : { ...known, measures: measuresGroup.concat(known.measures, cell.measures) },
    );
  }
  return [...sums]
    .filter(([, { measures }]) => !measuresEq.equals(measures, measuresGroup.empty))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, cell]) => cell);
};

/** Figures as a close keeps them: exact, and small. */
export const packFigures = (figures: PeriodFigures): string => {
  const classes = new Map<string, number>();
  const classOf = (key: string): number => {
    const known = classes.get(key) ?? classes.size;
    classes.set(key, known);
    return known;
  };
  const cells = COMBINATIONS.map(({ flow, basis }) =>
    summed(figures[flow][basis]).map(({ period, facet, measures }) => {
      const { orders, fiat, settled } = storedMeasures(measures);
      return [period, classOf(facetKey(facet)), orders, fiat, settled];
    }),
  );
  const text = JSON.stringify({ form: FORM, classes: [...classes.keys()], cells });
  return deflateRawSync(text).toString('base64');
};

const unpacked = (packed: string): unknown => {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());
  } catch {
    return null;
  }
};

/** The figures that a close has kept; null where they can't be read. */
export const unpackFigures = (packed: string): PeriodFigures | null => {
  const kept = unpacked(packed);
  if (!Packed.is(kept)) return null;
  const classes = kept.classes.map(readFacet);
  const cellsOf = (flow: Flow, basis: Basis): readonly ReportCell[] | null => {
    const at = COMBINATIONS.findIndex((one) => one.flow === flow && one.basis === basis);
    const cells: ReportCell[] = [];
    for (const [period, of, orders, fiat, settled] of kept.cells[at] ?? []) {
      const facet = classes[of] ?? null;
      if (facet === null) return null;
      cells.push({ period, facet, measures: readMeasures({ orders, fiat, settled }) });
    }
    return cells;
  };
  const [onCreated, onSettled] = [cellsOf('onramp', 'created'), cellsOf('onramp', 'settled')];
  const [offCreated, offSettled] = [cellsOf('offramp', 'created'), cellsOf('offramp', 'settled')];
  if (onCreated === null || onSettled === null || offCreated === null || offSettled === null) return null;
  return {
    onramp: { created: onCreated, settled: onSettled },
    offramp: { created: offCreated, settled: offSettled },
  };
};
