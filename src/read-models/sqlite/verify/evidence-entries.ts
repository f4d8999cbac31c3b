import { lineNode, transferNode } from '../../../../projections/match/node.ts';
import type { Transfer } from '../../../domain/transfer.ts';
import { toldTerms } from '../../line-search.ts';
import { EVIDENCE_TERMS, lineMatchTerms, transferMatchTerms } from '../../match-terms.ts';
import type { WrappedLine } from '../../wrapped-line.ts';
import { OrderDigests } from '../../order-digests.ts';
import { isOrderRef, numberOfRef } from '../match/match-refs.ts';
import type { TermIndex } from '../terms/term-index.ts';

/** There is one index of them. */
const SEED = 0;

/**
 * Holds what the index of the match finds lines and transfers by to what they are. Entries come with a line or transfer, and
 * none comes later or goes, so that all of them are known, but for one: a line is found by day and amount as long as the bank
 * says of each of its references that it is its own. Another file may have said less since.
 */
export class EvidenceEntries {
  readonly #expected = new OrderDigests();
  /** With the entries of such days too. */
  readonly #withDays = new OrderDigests();
  readonly #damaged = new Set<number>();
  #last = 0;

  /** Adds a line by its number. */
  addLine(no: number, line: WrappedLine): void {
    const now = lineMatchTerms(line);
    const atFirst = lineMatchTerms({ ...line, ownReferences: line.references });
    this.#add(no, [EVIDENCE_TERMS.name(lineNode(line.lineId)), ...now, ...toldTerms(line)]);
    if (atFirst.length === now.length) return;
    for (const term of atFirst) if (!now.includes(term)) this.#withDays.add(no, SEED, term, 0);
  }

  addTransfer(no: number, transfer: Transfer): void {
    this.#add(no, [EVIDENCE_TERMS.name(transferNode(transfer.transferId)), ...transferMatchTerms(transfer)]);
  }

  /** Notes a number of which it is not known what it should be found by. */
  addDamaged(no: number): void {
    this.#last = Math.max(this.#last, no);
    this.#damaged.add(no);
  }

  /** The numbers that the index finds by something else, once all were added; null: its runs are not as a search needs them. */
  differing(index: TermIndex): readonly number[] | null {
    const [stored, beyond] = [new OrderDigests(), new Set<number>()];
    const isWhole = index.inspect((term, _rank, ref) => {
      if (isOrderRef(ref)) return;
      const no = numberOfRef(ref);
      // Not by far any number may be kept in memory.
      if (no <= this.#last) stored.add(no, SEED, term, 0);
      else beyond.add(this.#last + 1);
    });
    if (!isWhole) return null;
    const withDays = new Set(this.#withDays.differing(stored));
    const differing = [...this.#expected.differing(stored)].filter((no) => withDays.has(no) && !this.#damaged.has(no));
    return [...differing, ...beyond].toSorted((a, b) => a - b);
  }

  #add(no: number, terms: readonly number[]): void {
    this.#last = Math.max(this.#last, no);
    for (const term of terms) {
      this.#expected.add(no, SEED, term, 0);
      this.#withDays.add(no, SEED, term, 0);
    }
  }
}
