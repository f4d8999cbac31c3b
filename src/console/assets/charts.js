import UPlot from 'uplot';

// Draws the charts of a page anew, to be read off at a point. Every figure comes from the table beside the chart, where it
// is exact; a double is only what a bar's height is made of.

/**
 * @typedef {{ readonly phase: string, readonly name: string }} Part
 * @typedef {Map<string, Element>} Rows
 */

const HEIGHT = 190;
const DIGIT_PX = 7;

/** A tick of the axis: it is for the eye, the exact amounts are read off. */
const compactNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** Days between two ticks below a chart. */
const WEEK = 7;

/** Above the highest bar there is room for it to be seen whole. */
const ROOM = 1.06;

/**
 * Room for the longest tick; before there are any, for none.
 * @param {string[] | null} ticks
 */
const axisWidth = (ticks) => 8 + DIGIT_PX * Math.max(1, ...(ticks ?? []).map(({ length }) => length));

/**
 * @param {Element} element
 * @param {string} name
 */
const attribute = (element, name) => element.getAttribute(name) ?? '';

/**
 * The text of a cell without the digits that only align it.
 * @param {Element | null | undefined} cell
 */
const amountIn = (cell) => {
  const parts = [...(cell?.querySelector('.amount')?.childNodes ?? [])];
  const digits = parts.filter((part) => !(part instanceof Element && part.matches('.filling')));
  const text = digits
    .map(({ textContent }) => textContent)
    .join('')
    .trim();
  return text === '' ? '0' : text;
};

/**
 * The table that a chart is drawn from.
 * @param {Element} figure
 */
const tableOf = (figure) => document.querySelector(`table[id="${CSS.escape(attribute(figure, 'data-table'))}"]`);

/**
 * The rows of a chart by their period.
 * @param {Element} figure
 * @returns {Rows}
 */
const rowsOf = (figure) => {
  const rows = [...(tableOf(figure)?.querySelectorAll('tbody tr[data-period]') ?? [])];
  const key = attribute(figure, 'data-key');
  return new Map(
    rows.filter((row) => attribute(row, 'data-key') === key).map((row) => [attribute(row, 'data-period'), row]),
  );
};

/**
 * The phases of a table, in the order of its columns, with what their heads say.
 * @param {Element} figure
 * @returns {Part[]}
 */
const partsOf = (figure) => {
  const table = tableOf(figure);
  const first = table?.querySelector('tbody tr[data-period]') ?? null;
  if (table === null || first === null) return [];
  const heads = [...table.querySelectorAll('thead th')];
  const cells = [...first.children];
  return [...first.querySelectorAll('td[data-phase]')].map((cell) => {
    const phase = attribute(cell, 'data-phase');
    return { phase, name: heads[cells.indexOf(cell)]?.textContent.trim() ?? phase };
  });
};

/**
 * A colour of the design as a canvas takes it: an element that has it knows which of light and dark it is.
 * @param {Element} figure
 * @param {string} name
 */
const colourOf = (figure, name) => {
  const probe = document.createElement('i');
  probe.className = `ink-of ${name}`;
  figure.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/**
 * Where the orders of a period are listed.
 * @param {Element | undefined} row
 */
const hrefOf = (row) => row?.querySelector('td.figure a')?.getAttribute('href') ?? null;

/**
 * Stacked: each part reaches from the axis to its top.
 * @param {string[][]} texts
 */
const topsOf = (texts) => {
  /** @type {number[][]} */
  const tops = [];
  for (const part of texts) {
    const below = tops.at(-1);
    tops.push(part.map((text, at) => Number(text) + (below?.[at] ?? 0)));
  }
  return tops;
};

/**
 * Veils the bar of a period that is not over yet: more may come.
 * @param {UPlot} chart
 * @param {number} at
 * @param {string} colour
 */
const veil = (chart, at, colour) => {
  const { ctx, bbox } = chart;
  const [left, right] = [chart.valToPos(at - 0.5, 'x', true), chart.valToPos(at + 0.5, 'x', true)];
  const line = 2 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour;
  for (let y = bbox.top; y < bbox.top + bbox.height; y += 2 * line) ctx.fillRect(left, y, right - left, line);
  ctx.restore();
};

/** @param {Element} figure */
const draw = (figure) => {
  const unit = attribute(figure, 'data-unit');
  const periods = attribute(figure, 'data-periods').split(' ');
  const unfinished = periods.indexOf(attribute(figure, 'data-unfinished'));
  const isDaily = periods.every((period) => period.length === '2026-01-31'.length);
  const rows = rowsOf(figure);
  const parts = partsOf(figure);
  const svg = figure.querySelector('svg');
  if (parts.length === 0 || svg === null) return;

  const texts = parts.map(({ phase }) =>
    periods.map((period) => amountIn(rows.get(period)?.querySelector(`td[data-phase="${phase}"]`))),
  );
  const tops = topsOf(texts);
  // The tallest is painted first.
  const painted = parts.map((part, i) => ({ ...part, tops: tops[i] ?? [] })).toReversed();

  const plot = document.createElement('div');
  plot.className = 'plot';
  plot.setAttribute('aria-hidden', 'true');
  svg.after(plot);
  const readout = document.createElement('p');
  readout.className = 'readout fine';
  readout.setAttribute('aria-hidden', 'true');
  figure.append(readout);
  figure.classList.add('drawn');

  /** @param {number | null | undefined} at */
  const say = (at) => {
    const period = periods[at ?? -1];
    const said = parts.flatMap(({ name }, i) => {
      const text = texts[i]?.[at ?? -1] ?? '0';
      return text === '0' ? [] : [`${name} ${text}`];
    });
    readout.textContent =
      period === undefined
        ? ''
        : [
            at === unfinished ? `${period}, not over yet` : period,
            ...(said.length === 0 ? ['nothing'] : [...said, unit]),
          ].join('  ');
  };

  const chartOf = () => {
    const bars = UPlot.paths.bars?.({ size: [0.75, 60], gap: 0 });
    const chart = new UPlot(
      {
        width: Math.max(200, figure.clientWidth),
        height: HEIGHT,
        padding: [8, 16, 6, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: {
          x: { time: false, range: [-0.6, periods.length - 0.4] },
          y: { range: (_, __, most) => [0, most > 0 ? most * ROOM : 1] },
        },
        axes: [
          {
            stroke: colourOf(figure, 'muted'),
            size: 22,
            gap: 4,
            font: `11px ${getComputedStyle(figure).fontFamily}`,
            grid: { show: false },
            ticks: { stroke: colourOf(figure, 'line'), width: 1, size: 4 },
            // The last period, and one of each week before it; of months each.
            splits: () => periods.map((_, at) => at).filter((at) => !isDaily || (periods.length - 1 - at) % WEEK === 0),
            values: (_, ticks) => ticks.map((at) => (isDaily ? periods[at]?.slice(5) : periods[at]) ?? ''),
          },
          {
            stroke: colourOf(figure, 'muted'),
            size: (_, ticks) => axisWidth(ticks),
            gap: 4,
            font: `11px ${getComputedStyle(figure).fontFamily}`,
            grid: { stroke: colourOf(figure, 'line'), width: 1 },
            ticks: { show: false },
            values: (_, ticks) => ticks.map((tick) => compactNumber.format(tick)),
          },
        ],
        series: [
          {},
          ...painted.map(({ phase, name }) => ({
            label: name,
            fill: colourOf(figure, phase),
            width: 0,
            points: { show: false },
            ...(bars === undefined ? {} : { paths: bars }),
          })),
        ],
        hooks: {
          setCursor: [({ cursor }) => say(cursor.idx)],
          draw: [(drawn) => (unfinished === -1 ? undefined : veil(drawn, unfinished, colourOf(figure, 'paper')))],
        },
      },
      [periods.map((_, at) => at), ...painted.map((part) => part.tops)],
      plot,
    );
    chart.over.addEventListener('click', () => {
      const href = hrefOf(rows.get(periods[chart.cursor.idx ?? -1] ?? ''));
      if (href !== null) location.assign(href);
    });
    chart.over.addEventListener('mouseleave', () => say(null));
    return chart;
  };

  let chart = chartOf();
  let width = figure.clientWidth;
  new ResizeObserver(() => {
    if (figure.clientWidth === width || figure.clientWidth === 0) return;
    width = figure.clientWidth;
    chart.setSize({ width, height: HEIGHT });
  }).observe(figure);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    chart.destroy();
    chart = chartOf();
  });
};

/** Draws every chart of the page. */
export const drawCharts = () => {
  for (const figure of document.querySelectorAll('figure[data-table]')) draw(figure);
};
