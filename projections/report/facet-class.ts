import { lowerAscii } from '../../src/domain/letter-case.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { exactOf, type Exact } from '../../src/domain/exact.ts';
import { facetKey, type Facet } from './facet.ts';
import type { GroupKey } from './report.ts';

/** The key members of a row, its day or month apart. */
export type RowKey = {
  readonly currency: string;
  /** The symbol in lower case; null where tokens are not told apart. */
  readonly lowerToken: string | null;
  /** Null where chains are not told apart. */
  readonly chain: ChainKey | null;
};

type ChainKey = { readonly id: Decimal; readonly value: Exact };

/** What a token line stands for: an address, compared without case, on a chain. */
export type LineKey = { readonly lowerAddress: string; readonly chain: ChainKey };

/**
 * What a report makes of a facet. Equal facets have one class, all facets of a row one row key, all of a token line one
 * line key, so that each of them is looked up by identity.
 */
export type FacetClass = { readonly facet: Facet; readonly row: RowKey; readonly line: LineKey };

/** One object for each text, made when it is first asked for. */
const interning = <A>(): ((text: string, make: () => A) => A) => {
  const known = new Map<string, A>();
  return (text, make) => {
    const found = known.get(text) ?? make();
    known.set(text, found);
    return found;
  };
};

/** Gives the class of a facet. Most cells share facet objects, so most classes are found by the identity of the object alone. */
export const facetClasses = (groupBy: readonly GroupKey[]): ((facet: Facet) => FacetClass) => {
  const [byToken, byChain] = [groupBy.includes('token'), groupBy.includes('chain')];
  const [rows, chains, lines] = [interning<RowKey>(), interning<ChainKey>(), interning<LineKey>()];
  const classes = interning<FacetClass>();
  const byFacet = new Map<Facet, FacetClass>();

  const classOf = (facet: Facet): FacetClass => {
    const { currency, symbol, address, chainId } = facet;
    const lowerAddress = lowerAscii(address);
    const chain = chains(chainId, () => ({ id: chainId, value: exactOf(chainId) }));
    const lowerToken = byToken ? lowerAscii(symbol) : null;
    const rowParts = [currency, lowerToken, byChain ? chainId : null];
    return {
      facet,
      row: rows(JSON.stringify(rowParts), () => ({
        currency,
        lowerToken,
        chain: byChain ? chain : null,
      })),
      line: lines(JSON.stringify([lowerAddress, chainId]), () => ({ lowerAddress, chain })),
    };
  };

  return (facet) => {
    const known = byFacet.get(facet);
    if (known !== undefined) return known;
    const found = classes(facetKey(facet), () => classOf(facet));
    byFacet.set(facet, found);
    return found;
  };
};
