import { tokenKey } from './token-key.ts';
import { hexKey, type SourcedTransfer } from './transfer.ts';

/** A figure without the zeros around it: `digits` × 10^`power`; zero has no digits. */
type Scaled = { readonly digits: string; readonly power: number };

export const scaledOf = (figure: string): Scaled => {
  const point = figure.indexOf('.');
  const all = figure.replace('.', '');
  let [begin, end] = [0, all.length];
  while (begin < end && all[begin] === '0') begin += 1;
  while (end > begin && all[end - 1] === '0') end -= 1;
  const behindPoint = point === -1 ? 0 : all.length - point;
  return { digits: all.slice(begin, end), power: begin === end ? 0 : all.length - end - behindPoint };
};

/** Decimals that most tokens have, which are taken where figures fit others as well. */
const USUAL: readonly number[] = [18, 6];

/** How often each power of ten has some digits, of transfers of one token to one wallet. */
type Alike = { readonly token: string; readonly powers: Map<number, number> };

/** Figures of transfers in one form, tokens or base units, by what of them is the same in the other one. */
export class FiguresOfForm {
  readonly #alike = new Map<string, Alike>();

  add({ token, to }: SourcedTransfer, figure: string): void {
    const { digits, power } = scaledOf(figure);
    // Zero is zero with any decimals.
    if (digits === '') return;
    const key = `${tokenKey(token)} ${hexKey(to)} ${digits}`;
    const its = this.#alike.get(key) ?? { token: tokenKey(token), powers: new Map<number, number>() };
    this.#alike.set(key, its);
    its.powers.set(power, (its.powers.get(power) ?? 0) + 1);
  }

  get alike(): ReadonlyMap<string, Alike> {
    return this.#alike;
  }
}

/** Figures in base units, and figures in tokens that may be of the same transfers. */
export type FiguresInBoth = { readonly units: FiguresOfForm; readonly tokens: FiguresOfForm };

/** How many transfers each number of decimals would make the same, by token. */
const fitting = (both: readonly FiguresInBoth[]): ReadonlyMap<string, ReadonlyMap<number, number>> => {
  const fits = new Map<string, Map<number, number>>();
  for (const { units, tokens } of both) {
    // One of both may be all that is known of a transaction, each time that a part of a file is held against it.
    const { alike } = tokens.alike.size < units.alike.size ? tokens : units;
    for (const key of alike.keys()) {
      const [inUnits, inTokens] = [units.alike.get(key), tokens.alike.get(key)];
      if (inUnits === undefined || inTokens === undefined) continue;
      const its = fits.get(inUnits.token) ?? new Map<number, number>();
      fits.set(inUnits.token, its);
      for (const [power, times] of inUnits.powers) {
        for (const [other, most] of inTokens.powers) {
          const decimals = power - other;
          if (decimals >= 0) its.set(decimals, (its.get(decimals) ?? 0) + Math.min(times, most));
        }
      }
    }
  }
  return fits;
};

type Fit = { readonly decimals: number; readonly same: number };

const usualFirst = (decimals: number): number => {
  const at = USUAL.indexOf(decimals);
  return at === -1 ? USUAL.length : at;
};

const likelierFirst = (a: Fit, b: Fit): number =>
  [b.same - a.same, usualFirst(a.decimals) - usualFirst(b.decimals), b.decimals - a.decimals].find(
    (order) => order !== 0,
  ) ?? 0;

/**
 * How many decimals each token has by its figures in both forms: so many as make most of them the same, of several the usual
 * ones, else more of them. Nothing where no figures are the same.
 */
export const likelyDecimals = (both: readonly FiguresInBoth[]): ReadonlyMap<string, number> => {
  const likely = new Map<string, number>();
  for (const [token, fits] of fitting(both)) {
    const [best] = [...fits].map(([decimals, same]) => ({ decimals, same })).toSorted(likelierFirst);
    if (best !== undefined) likely.set(token, best.decimals);
  }
  return likely;
};
