import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../domain/business-day.ts';
import { isOrderStream, type Position } from '../domain/ids.ts';
import { ledgerEventOf, readLedgerEvent } from '../domain/ledger-event.ts';
import { troubleLine } from '../domain/trouble.ts';
import { openBeside, type SqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import { verifyStrays, verifyStream, type EventFailure } from '../ledger/verify-stream.ts';
import { servingGeneration, type OpenGeneration } from '../read-models/sqlite/sqlite-projections.ts';
import { BankVerification } from '../read-models/sqlite/verify-bank.ts';
import { verifyMatch } from '../read-models/sqlite/verify-match.ts';
import { OrderVerification } from '../read-models/sqlite/verify-orders.ts';
import { verifySums } from '../read-models/sqlite/verify-sums.ts';
import { verifyTrail } from '../read-models/sqlite/verify-trail.ts';
import { readingOnce } from '../read-models/reading-once.ts';
import { StepFold, type FoldedSteps } from '../read-models/step-fold.ts';
import { readModelFailure, type ReadModelFailure } from '../read-models/verification.ts';
import type { VerifyAnswer, VerifyWorkerOptions, VerifyTask } from './verify-message.ts';

const NO_STEPS: FoldedSteps = { events: new Map(), sums: [] };

const only = (failures: readonly (EventFailure | ReadModelFailure)[]): VerifyAnswer =>
  E.right({ events: 0, orders: 0, unknownSecrets: 0, failures, steps: NO_STEPS });

const UNREADABLE = readModelFailure(
  'read-model-unreadable',
  'the read models are damaged or of another version; "ramp-ledger replay" makes them anew',
);

/** Runs the tasks of `verify` over the log and the read models that serve, if there are any. */
export class VerifyTasks {
  readonly #store: SqliteEventStore;
  readonly #upTo: Position;
  readonly #secretKey: SecretKeyById;
  readonly #generation: OpenGeneration | 'none' | 'unreadable';
  readonly #orders: OrderVerification | null;
  readonly #bank: BankVerification | null;
  readonly #steps: StepFold | null;

  private constructor(store: SqliteEventStore, { upTo, secrets, readModelFile, stepEnds }: VerifyWorkerOptions) {
    const keys = new Map(secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
    this.#store = store;
    this.#upTo = upTo;
    this.#secretKey = (id) => keys.get(id) ?? null;
    this.#generation = servingGeneration(readModelFile);
    this.#orders =
      typeof this.#generation === 'string'
        ? null
        : new OrderVerification(
            this.#generation.database,
            businessCalendar(this.#generation.timeZone),
            this.#generation.checkpoint,
          );
    this.#bank =
      typeof this.#generation === 'string'
        ? null
        : new BankVerification(this.#generation.database, this.#generation.checkpoint);
    this.#steps =
      typeof this.#generation === 'string' ? null : new StepFold(stepEnds, businessCalendar(this.#generation.timeZone));
  }

  static open(options: VerifyWorkerOptions): E.Either<string, VerifyTasks> {
    const store = openBeside(options.location);
    return E.isLeft(store) ? E.left(troubleLine(store.left)) : E.right(new VerifyTasks(store.right, options));
  }

  async run(task: VerifyTask): Promise<VerifyAnswer> {
    if (task._tag === 'Part') return this.#part(task.part);
    if (this.#generation === 'none') return only([]);
    if (this.#generation === 'unreadable') return only(task._tag === 'Sums' ? [UNREADABLE] : []);
    const { database, timeZone, settings } = this.#generation;
    if (task._tag === 'Match') return only(verifyMatch(database, businessCalendar(timeZone), settings));
    if (task._tag === 'Sums') return only(verifySums(database, timeZone));
    const failures = await verifyTrail(database, this.#store);
    return E.isLeft(failures) ? failures : only(failures.right);
  }

  async close(): Promise<void> {
    if (typeof this.#generation !== 'string') this.#generation.close();
    await this.#store.close();
  }

  async #part(part: number): Promise<VerifyAnswer> {
    const read = await this.#store.readPartAndStrays(part, this.#upTo)();
    if (E.isLeft(read)) return read;
    const failures: (EventFailure | ReadModelFailure)[] = [];
    let [events, orders, unknownSecrets] = [0, 0, 0];
    for (const stream of read.right.streams) {
      const verdict = verifyStream(stream, this.#secretKey);
      const readEvent = readingOnce((event) => {
        const payload = verdict.payloads.get(event);
        return payload === undefined ? readLedgerEvent(event) : ledgerEventOf(event, payload);
      });
      failures.push(...verdict.failures, ...(this.#orders?.of(stream, readEvent) ?? []));
      this.#steps?.add(stream, readEvent);
      failures.push(...(this.#bank?.of(stream) ?? []));
      unknownSecrets += verdict.unknownSecrets;
      events += stream.events.filter((event) => event.stream === stream.stream).length;
      if (isOrderStream(stream.stream)) orders += 1;
    }
    const strays = verifyStrays(read.right.strays, this.#secretKey);
    return E.right({
      events: events + read.right.strays.length,
      orders,
      unknownSecrets: unknownSecrets + strays.unknownSecrets,
      failures: [...failures, ...strays.failures],
      steps: this.#steps?.take() ?? NO_STEPS,
    });
  }
}
