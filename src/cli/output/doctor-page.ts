import { styleText } from 'node:util';
import type { DoctorCheck } from '../../doctor/doctor-check.ts';
import { cellText } from './cell-text.ts';

const MARK = { ok: 'ok', wrong: 'WRONG' } as const;
const MARK_WIDTH = MARK.wrong.length;

/** Lines below each other from a column on; what came in them is escaped, so that it can't steer a terminal. */
const hanging = (text: string, column: number): string =>
  text
    .split('\n')
    .map(cellText)
    .join(`\n${' '.repeat(column)}`);

/**
 * Checks for people: a mark, the name and what was found, the cure below what is wrong.
 *
 * @param coloured whether it goes to a terminal that colours are wanted on
 */
export const doctorPage = (checks: readonly DoctorCheck[], coloured: boolean): string => {
  const nameWidth = Math.max(0, ...checks.map(({ name }) => name.length));
  const column = MARK_WIDTH + 2 + nameWidth + 2;
  const lines = checks.map(({ name, ok, detail, cure }) => {
    const mark = (ok ? MARK.ok : MARK.wrong).padEnd(MARK_WIDTH);
    const shown = coloured ? styleText(ok ? 'green' : 'red', mark, { validateStream: false }) : mark;
    const found = `${shown}  ${name.padEnd(nameWidth)}  ${hanging(detail, column)}\n`;
    return cure === null ? found : `${found}${' '.repeat(column)}→ ${hanging(cure, column + 2)}\n`;
  });
  const bad = checks.filter(({ ok }) => !ok).length;
  return `${lines.join('')}\n${bad === 0 ? 'all is well' : `${bad} of ${checks.length} checks found something wrong`}\n`;
};
