import { normalised } from './decimal.ts';
import { FiguresOfForm, likelyDecimals, scaledOf, type FiguresInBoth } from './likely-decimals.ts';
import { tokenKey } from './token-key.ts';
import { hexKey, type SourcedTransfer, type Transfer, type TransferId } from './transfer.ts';
import { transferId } from './transfer-id.ts';

/** Ids in the order in which they were first seen; those before `next` are taken. */
type Queue = { readonly ids: TransferId[]; next: number };

const kindOf = ({ token, to }: SourcedTransfer): string => `${tokenKey(token)} ${hexKey(to)}`;

/** Base units of what has nothing else, and tokens of what has no base units: these two are held against each other. */
const unitsAlone = ({ baseUnits, amount }: SourcedTransfer): string | null => (amount === null ? baseUnits : null);
const tokensAlone = ({ baseUnits, amount }: SourcedTransfer): string | null => (baseUnits === null ? amount : null);

const noFigures = (): FiguresInBoth => ({ units: new FiguresOfForm(), tokens: new FiguresOfForm() });

const addFigures = ({ units, tokens }: FiguresInBoth, transfer: SourcedTransfer): void => {
  const [inUnits, inTokens] = [unitsAlone(transfer), tokensAlone(transfer)];
  if (inUnits !== null) units.add(transfer, inUnits);
  if (inTokens !== null) tokens.add(transfer, inTokens);
};

const bothOf = (transfers: readonly SourcedTransfer[]): FiguresInBoth => {
  const both = noFigures();
  for (const transfer of transfers) addFigures(both, transfer);
  return both;
};

/** A figure times a power of ten, in one spelling; null where nobody knows which power. Zero is zero with any. */
const movedBy = (figure: string | null, places: number | null): string | null => {
  if (figure === null) return null;
  const { digits, power } = scaledOf(figure);
  if (digits === '') return '0';
  return places === null ? null : `${digits}e${power + places}`;
};

const ANY_SENDER = '*';
const NO_SENDER = '';

const senderOf = ({ from }: SourcedTransfer): string => (from === null ? NO_SENDER : hexKey(from));

const keyOf = (form: number, figure: string, sender: string, transfer: SourcedTransfer): string =>
  `${form} ${figure} ${sender} ${kindOf(transfer)}`;

/** The form in which figures are not compared. */
const ANY_FIGURE = 4;

/** The forms that a figure is compared in, the surest first; null where a transfer has it in none. */
const figuresOf = (known: SourcedTransfer): readonly (string | null)[] => [
  known.baseUnits,
  known.amount === null ? null : normalised(known.amount),
  movedBy(unitsAlone(known), 0),
  movedBy(tokensAlone(known), 0),
];

/** What a known transfer is found by. */
const foundBy = (known: Transfer): readonly string[] =>
  [...figuresOf(known), ''].flatMap((figure, form) =>
    figure === null ? [] : [keyOf(form, figure, senderOf(known), known), keyOf(form, figure, ANY_SENDER, known)],
  );

/**
 * What the transfer that a source means is looked for by, the surest first; null: by nothing there. Of another figure it
 * is the same one corrected. It is never one from another sender, where both are named: of two senders of one figure each
 * may be told of by a file of its own.
 *
 * @param decimals of its token; null: nobody knows
 */
const lookedForBy = (told: SourcedTransfer, decimals: number | null): readonly (string | null)[] => {
  const sender = senderOf(told);
  const senders = sender === NO_SENDER ? [NO_SENDER, ANY_SENDER] : [sender, NO_SENDER];
  const figures = [
    told.baseUnits,
    told.amount === null ? null : normalised(told.amount),
    movedBy(tokensAlone(told), decimals),
    movedBy(unitsAlone(told), decimals === null ? null : -decimals),
  ].flatMap((figure, form) => senders.map((from) => (figure === null ? null : keyOf(form, figure, from, told))));
  return [...figures, ...senders.map((from) => keyOf(ANY_FIGURE, '', from, told))];
};

/**
 * The transfers of one transaction as they were seen last, while one source tells of it. Tells which of them each that
 * the source has is: one of the same figure before any other, so that a file that has some of several transfers of one token
 * to one wallet is not taken for a correction of the others (docs/spec/statements.md, A transfer).
 */
export class KnownTransfers {
  readonly #queues = new Map<string, Queue>();
  readonly #counts = new Map<string, number>();
  readonly #figures = noFigures();
  readonly #taken: Set<TransferId>;

  /**
   * @param latest in the order in which they were first seen
   * @param taken those that the source has told of before
   */
  constructor(latest: readonly Transfer[], taken: Iterable<TransferId> = []) {
    this.#taken = new Set(taken);
    for (const known of latest) this.add(known);
  }

  /** One more that was seen before, behind those that were seen first: a transaction may have more than are to be gone through at once. */
  add(known: Transfer): void {
    addFigures(this.#figures, known);
    this.#count(known);
    for (const key of foundBy(known)) this.#enqueue(key, known.transferId);
  }

  /** Those that the source has told of by now. */
  get taken(): ReadonlySet<TransferId> {
    return this.#taken;
  }

  /** Names what the source tells, in its order; what it has told of once is not told of again. */
  named(told: readonly SourcedTransfer[]): readonly Transfer[] {
    const ids: (TransferId | null)[] = told.map(() => null);
    const both = bothOf(told);
    const decimals = likelyDecimals([
      { units: this.#figures.units, tokens: both.tokens },
      { units: both.units, tokens: this.#figures.tokens },
    ]);
    const keys = told.map((one) => lookedForBy(one, decimals.get(tokenKey(one.token)) ?? null));
    const most = Math.max(0, ...keys.map(({ length }) => length));
    for (let sure = 0; sure < most; sure += 1) {
      for (const [place, its] of keys.entries()) ids[place] ??= this.#take(its[sure] ?? null);
    }
    return told.map((transfer, place) => ({ ...transfer, transferId: ids[place] ?? this.#fresh(transfer) }));
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
