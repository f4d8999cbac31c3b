import { lineNode, transferNode } from '../../../../projections/match/node.ts';
import type { LineId } from '../../../domain/statement-line.ts';
import type { Transfer } from '../../../domain/transfer.ts';
import { EVIDENCE_TERMS, transferMatchTerms } from '../../match-terms.ts';
import { OrderDigests } from '../../order-digests.ts';
import { isOrderRef, numberOfRef } from '../match/match-refs.ts';
import type { TermIndex } from '../terms/term-index.ts';

/** There is one index of them. */
const SEED = 0;

/**
 * Holds what the index of the match finds lines and transfers by to what they are. Entries come with a transfer, or with a line
 * of a file, and none goes, so that all of them are known.
 */
export class EvidenceEntries {
  readonly #expected = new OrderDigests();
  readonly #damaged = new Set<number>();
  #last = 0;

  /**
   * Adds a line by its number.
   *
   * @param terms what any of its files has it found by
   */
  addLine(no: number, id: LineId, terms: ReadonlySet<number>): void {
    this.#add(no, [EVIDENCE_TERMS.name(lineNode(id)), ...terms]);
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
    const differing = [...this.#expected.differing(stored)].filter((no) => !this.#damaged.has(no));
    return [...differing, ...beyond].toSorted((a, b) => a - b);
  }

  #add(no: number, terms: readonly number[]): void {
    this.#last = Math.max(this.#last, no);
    for (const term of terms) this.#expected.add(no, SEED, term, 0);
  }
}
