import { normalised } from '../../domain/decimal.ts';
import type { EventId } from '../../domain/ids.ts';
import { compareInstants } from '../../domain/instant.ts';
import { compareObservations, type Observation } from '../../domain/observation.ts';
import { FINAL_CONFIRMATIONS, type Transfer, type TransferId } from '../../domain/transfer.ts';

const isFinal = ({ confirmations }: Transfer): boolean => (confirmations ?? 0) >= FINAL_CONFIRMATIONS;

/** Of two that have tokens alone; one that has base units says more than any figure that an explorer may have rounded. */
const isOtherAmount = ({ baseUnits, amount }: Transfer, before: Transfer): boolean =>
  baseUnits === null &&
  before.baseUnits === null &&
  amount !== null &&
  (before.amount === null || normalised(before.amount) !== normalised(amount));

/** Whether an observation says anything that another one does not. */
const saysMore = (transfer: Transfer, before: Transfer | undefined): boolean =>
  before === undefined ||
  (isFinal(transfer) && !isFinal(before)) ||
  before.status !== transfer.status ||
  (transfer.block !== null && before.block !== transfer.block) ||
  (transfer.baseUnits !== null && before.baseUnits !== transfer.baseUnits) ||
  isOtherAmount(transfer, before);

/** The observation that counts of some; undefined where there is none. */
const countingOf = (some: readonly Observation[]): Observation | undefined =>
  some.reduce<Observation | undefined>(
    (before, one) => (before === undefined || compareObservations(one, before) > 0 ? one : before),
    undefined,
  );

/** All that was seen of the transfers of one transaction, and which of it counts (docs/spec/statements.md, A transfer). */
export class Observations {
  readonly #of = new Map<TransferId, Observation[]>();
  readonly #counting = new Map<TransferId, Observation>();
  /** The same observation is noted once, also where a newer one counts. */
  readonly #ids = new Set<EventId>();

  /** Each transfer as it was seen last, in the order in which they were first seen. */
  get latest(): readonly Transfer[] {
    return [...this.#counting.values()].map(({ transfer }) => transfer);
  }

  has(transferId: TransferId): boolean {
    return this.#counting.has(transferId);
  }

  add(observation: Observation): void {
    const { transferId } = observation.transfer;
    this.#ids.add(observation.eventId);
    const its = this.#of.get(transferId);
    if (its === undefined) this.#of.set(transferId, [observation]);
    else its.push(observation);
    if (this.#wouldCount(observation)) this.#counting.set(transferId, observation);
  }

  /** Whether an observation says anything new of its transfer. */
  isNew(transfer: Transfer): boolean {
    return saysMore(transfer, this.#counting.get(transfer.transferId)?.transfer);
  }

  /**
   * Whether one that says something new is to be noted. One that does not count is, where it says what its own source had
   * not said until then: a node that is asked again and again behind an observation of later says the same each time.
   */
  isToBeNoted(observation: Observation): boolean {
    if (this.#ids.has(observation.eventId)) return false;
    return this.#wouldCount(observation) || saysMore(observation.transfer, this.#ownBefore(observation.transfer));
  }

  /** Whether a source has told of a transfer that it is there. */
  wasTold(transferId: TransferId, by: string): boolean {
    return (this.#of.get(transferId) ?? []).some(
      ({ transfer: { source, status } }) => source === by && status !== 'dropped',
    );
  }

  #wouldCount(observation: Observation): boolean {
    const counting = this.#counting.get(observation.transfer.transferId);
    return counting === undefined || compareObservations(observation, counting) > 0;
  }

  /** What the source of an observation had said last of its transfer by then; an observation of later tells nothing of it. */
  #ownBefore({ transferId, source, observedAt }: Transfer): Transfer | undefined {
    const own = (this.#of.get(transferId) ?? []).filter(
      ({ transfer }) => transfer.source === source && compareInstants(transfer.observedAt, observedAt) <= 0,
    );
    return countingOf(own)?.transfer;
  }
}
