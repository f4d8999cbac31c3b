import { normalised } from './decimal.ts';
import { tokenKey } from './token-key.ts';
import { hexKey, type SourcedTransfer, type Transfer, type TransferId } from './transfer.ts';
import { transferId } from './transfer-id.ts';

/** Ids in the order in which they were first seen; those before `next` are taken. */
type Queue = { readonly ids: TransferId[]; next: number };

const kindOf = ({ token, to }: SourcedTransfer): string => `${tokenKey(token)} ${hexKey(to)}`;

/** The digits of a figure, by which tokens and base units are one where nothing says how many decimals there are. */
const digitsOf = (figure: string): string => {
  const digits = figure.replace('.', '');
  let [begin, end] = [0, digits.length];
  while (begin < end && digits[begin] === '0') begin += 1;
  while (end > begin && digits[end - 1] === '0') end -= 1;
  return digits.slice(begin, end);
};

/** The forms that a figure is compared in, the surest first; null where a transfer has it in none. */
type Figures = readonly [
  units: string | null,
  tokens: string | null,
  digitsOfUnits: string | null,
  digitsOfTokens: string | null,
];

/** Digits are compared only between one that has no base units and one that has nothing else. */
const figuresOf = ({ baseUnits, amount }: SourcedTransfer): Figures => [
  baseUnits,
  amount === null ? null : normalised(amount),
  amount === null && baseUnits !== null ? digitsOf(baseUnits) : null,
  baseUnits === null && amount !== null ? digitsOf(amount) : null,
];

const ANY_SENDER = '*';
const NO_SENDER = '';

const senderOf = ({ from }: SourcedTransfer): string => (from === null ? NO_SENDER : hexKey(from));

const keyOf = (form: number, figure: string, sender: string, transfer: SourcedTransfer): string =>
  `${form} ${figure} ${sender} ${kindOf(transfer)}`;

/** The form in which figures are not compared. */
const ANY_FIGURE = 4;

/** What a known transfer is found by. */
const foundBy = (known: Transfer): readonly string[] =>
  [...figuresOf(known), ''].flatMap((figure, form) =>
    figure === null ? [] : [keyOf(form, figure, senderOf(known), known), keyOf(form, figure, ANY_SENDER, known)],
  );

/**
 * What the transfer that a source means is looked for by, the surest first; null: by nothing there. Of another figure it
 * is the same one corrected, but not where it comes from another sender too.
 */
const lookedForBy = (told: SourcedTransfer): readonly (string | null)[] => {
  const [units, tokens, digitsOfUnits, digitsOfTokens] = figuresOf(told);
  const sender = senderOf(told);
  const figures = [units, tokens, digitsOfTokens, digitsOfUnits].flatMap((figure, form) =>
    [sender, ANY_SENDER].map((from) => (figure === null ? null : keyOf(form, figure, from, told))),
  );
  const senders = sender === NO_SENDER ? [ANY_SENDER] : [sender, NO_SENDER];
  return [...figures, ...senders.map((from) => keyOf(ANY_FIGURE, '', from, told))];
};

/**
 * The transfers of one transaction as they were seen last, while one source tells of it. Tells which of them each that
 * the source has is: one of the same figure before any other, so that a file that has some of several transfers of one token
 * to one wallet is not taken for a correction of the others (docs/spec/statements.md, A transfer).
 */
export class KnownTransfers {
  readonly #latest = new Map<TransferId, Transfer>();
  readonly #queues = new Map<string, Queue>();
  readonly #counts = new Map<string, number>();
  readonly #taken: Set<TransferId>;

  /**
   * @param latest in the order in which they were first seen
   * @param taken those that the source has told of before
   */
  constructor(latest: readonly Transfer[], taken: Iterable<TransferId> = []) {
    this.#taken = new Set(taken);
    for (const known of latest) {
      this.#latest.set(known.transferId, known);
      this.#count(known);
      for (const key of foundBy(known)) this.#enqueue(key, known.transferId);
    }
  }

  get taken(): ReadonlySet<TransferId> {
    return this.#taken;
  }

  /** A transfer as it was seen last; undefined for a new one. */
  latest(id: TransferId): Transfer | undefined {
    return this.#latest.get(id);
  }

  /** Those that the source has not told of. */
  untold(): readonly Transfer[] {
    return [...this.#latest.values()].filter((known) => !this.#taken.has(known.transferId));
  }

  /** Names what the source tells, in its order; what it has told of once is not told of again. */
  named(told: readonly SourcedTransfer[]): readonly Transfer[] {
    const ids: (TransferId | null)[] = told.map(() => null);
    const keys = told.map(lookedForBy);
    const most = Math.max(0, ...keys.map(({ length }) => length));
    for (let sure = 0; sure < most; sure += 1) {
      for (const [place, its] of keys.entries()) ids[place] ??= this.#take(its[sure] ?? null);
    }
    return told.map((transfer, place) => ({ ...transfer, transferId: ids[place] ?? this.#fresh(transfer) }));
  }

  /** What was noted: what the source tells is the newest from now on. */
  saw(transfer: Transfer): void {
    this.#latest.set(transfer.transferId, transfer);
  }

  #take(key: string | null): TransferId | null {
    const queue = key === null ? undefined : this.#queues.get(key);
    if (queue === undefined) return null;
    for (; queue.next < queue.ids.length; queue.next += 1) {
      const id = queue.ids[queue.next];
      if (id === undefined || this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
    return null;
  }

  #fresh(transfer: SourcedTransfer): TransferId {
    const id = transferId(transfer, this.#count(transfer));
    this.#taken.add(id);
    return id;
  }

  #enqueue(key: string, id: TransferId): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, { ids: [id], next: 0 });
    else queue.ids.push(id);
  }

  /** Answers how many of its token and recipient there were before. */
  #count(transfer: SourcedTransfer): number {
    const kind = kindOf(transfer);
    const before = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, before + 1);
    return before;
  }
}
