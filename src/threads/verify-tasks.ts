import { addAll } from '../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../domain/business-day.ts';
import { isOrderStream, isQuarantineStream, type Position } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { ledgerEventOf, readLedgerEvent } from '../domain/ledger-event.ts';
import { troubleLine } from '../domain/trouble.ts';
import { openBeside, type SqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import { verifyReleases } from '../ledger/verify-releases.ts';
import { verifyStrays, verifyStream, type EventFailure } from '../ledger/verify-stream.ts';
import { compared } from '../read-models/compared.ts';
import type { Included } from '../read-models/read-models.ts';
import { damageOf } from '../read-models/sqlite/damage-of.ts';
import { servingGeneration, type OpenGeneration } from '../read-models/sqlite/serving-generation.ts';
import { BankVerification } from '../read-models/sqlite/verify/verify-bank.ts';
import type { EntriesOf } from '../read-models/sqlite/verify/order-entries.ts';
import { storedEntries } from '../read-models/sqlite/verify/verify-entries.ts';
import { verifyMatch } from '../read-models/sqlite/verify/verify-match.ts';
import { OrderVerification } from '../read-models/sqlite/verify/verify-orders.ts';
import { verifySums } from '../read-models/sqlite/verify/verify-sums.ts';
import { storedTrailTerms } from '../read-models/sqlite/verify/verify-trail.ts';
import { StepFold } from '../read-models/step-fold.ts';
import { StreamFold } from '../read-models/stream-fold.ts';
import { TrailFold } from '../read-models/trail-fold.ts';
import { readModelFailure, type ReadModelFailure, type ReadModelProblem } from '../read-models/verification.ts';
import type { RightRowsOf, VerifyAnswer, VerifyFound, VerifyTask, VerifyWorkerOptions } from './verify-message.ts';

const NOTHING: VerifyFound = {
  events: 0,
  orders: 0,
  unknownSecrets: 0,
  failures: [],
  steps: null,
  trail: null,
  trailTerms: null,
  storedEntries: null,
  rightRows: null,
};

const only = (failures: VerifyFound['failures']): VerifyAnswer => E.right({ ...NOTHING, failures });

/** What is gathered over several parts at the most, some MB each: sums of steps, and marks of the trail. */
const MOST_SUMS = 20_000;
const MOST_MARKS = 65_536;

type ReadModelTask = Exclude<VerifyTask['_tag'], 'Parts' | 'Rest'>;

/** What is named of a task that can't be done, since what it reads is damaged. */
const OF_TASK: Readonly<Record<ReadModelTask, readonly [ReadModelProblem, string]>> = {
  Match: ['read-model-match-differs', 'the match'],
  Sums: ['read-model-report-differs', 'what reports come to'],
  Entries: ['read-model-order-differs', 'what orders are found by'],
  Trail: ['read-model-trail-differs', 'what events are searched by'],
};

const unreadable = (readModelFile: string | null): ReadModelFailure => {
  const damage = readModelFile === null ? null : damageOf(readModelFile);
  const otherwise = `the read models of ${readModelFile ?? 'the ledger'} are damaged or of another version; "ramp-ledger replay" makes them anew`;
  return readModelFailure('read-model-unreadable', damage ?? otherwise);
};

/** Runs the tasks of `verify` over the log and the read models that serve, if there are any. */
export class VerifyTasks {
  readonly #store: SqliteEventStore;
  readonly #upTo: Position;
  readonly #secretKey: SecretKeyById;
  readonly #readModelFile: string | null;
  readonly #generation: OpenGeneration | 'none' | 'unreadable';
  readonly #orders: OrderVerification | null;
  readonly #bank: BankVerification | null;
  readonly #steps: StepFold | null;
  /** How far the read models are, as they say. */
  readonly #included: Included | null;
  readonly #trailUpTo: Position | null;
  readonly #trail: TrailFold;
  readonly #entriesOf: EntriesOf;

  private constructor(
    store: SqliteEventStore,
    { upTo, secrets, readModelFile, stepEnds, trailUpTo, entriesOf }: VerifyWorkerOptions,
  ) {
    const keys = new Map(secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
    this.#store = store;
    this.#upTo = upTo;
    this.#secretKey = (id) => keys.get(id) ?? null;
    this.#trailUpTo = trailUpTo;
    this.#readModelFile = readModelFile;
    this.#entriesOf = entriesOf;
    this.#trail = new TrailFold(trailUpTo);
    this.#generation = servingGeneration(readModelFile);
    this.#included = typeof this.#generation === 'string' ? null : this.#generation.checkpoint;
    this.#orders =
      typeof this.#generation === 'string'
        ? null
        : new OrderVerification(
            this.#generation.database,
            businessCalendar(this.#generation.timeZone),
            this.#generation.checkpoint,
            entriesOf,
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
    if (task._tag === 'Parts') return this.#parts(task.first, task.beyond);
    if (task._tag === 'Rest') return E.right({ ...NOTHING, ...this.#gathered(0, 0), rightRows: this.#rightRows() });
    if (this.#generation === 'none') return only([]);
    if (this.#generation === 'unreadable') return only(task._tag === 'Sums' ? [unreadable(this.#readModelFile)] : []);
    const generation = this.#generation;
    const [problem, what] = OF_TASK[task._tag];
    return compared(
      () => this.#ofReadModels(task, generation),
      (detail) => only([readModelFailure(problem, `${what}: ${detail}`)]),
    );
  }

  #ofReadModels(
    { _tag }: { readonly _tag: ReadModelTask },
    { database, timeZone, settings, generation }: OpenGeneration,
  ): VerifyAnswer {
    if (_tag === 'Match') return only(verifyMatch(database, businessCalendar(timeZone), settings));
    if (_tag === 'Sums') return only(verifySums(database, timeZone));
    if (_tag === 'Entries') {
      const { digests, failures } = storedEntries(database, this.#entriesOf);
      return E.right({ ...NOTHING, failures, storedEntries: { digests, generation } });
    }
    const { terms, failures } = storedTrailTerms(database, this.#trailUpTo);
    return E.right({ ...NOTHING, failures, trailTerms: terms });
  }

  async close(): Promise<void> {
    if (typeof this.#generation !== 'string') this.#generation.close();
    await this.#store.close();
  }

  #rightRows(): RightRowsOf | null {
    if (typeof this.#generation === 'string' || this.#orders === null || this.#bank === null) return null;
    const found = { ...this.#orders.quarantined, ...this.#bank.found };
    return { ...this.#orders.right, entries: this.#orders.entries, found, generation: this.#generation.generation };
  }

  async #parts(first: number, beyond: number): Promise<VerifyAnswer> {
    const failures: (EventFailure | ReadModelFailure)[] = [];
    let [events, orders, unknownSecrets] = [0, 0, 0];
    for (let part = first; part < beyond; part += 1) {
      const found = await this.#part(part);
      if (E.isLeft(found)) return found;
      addAll(failures, found.right.failures);
      events += found.right.events;
      orders += found.right.orders;
      unknownSecrets += found.right.unknownSecrets;
    }
    const counts = { events, orders, unknownSecrets, failures };
    return E.right({ ...NOTHING, ...counts, ...this.#gathered(MOST_SUMS, MOST_MARKS) });
  }

  /** Whether the event that the read models say they include last is the very one. */
  #ofLast({ position, id, recordedAt }: RecordedEvent): readonly ReadModelFailure[] {
    const included = this.#included;
    if (included?.position !== position) return [];
    if (included.at !== recordedAt)
      return [readModelFailure('read-model-trail-differs', 'when the last event was recorded differs')];
    return included.eventId === id
      ? []
      : [readModelFailure('read-model-trail-differs', 'which event is the last differs')];
  }

  async #part(part: number): Promise<VerifyAnswer> {
    const read = await this.#store.readPartAndStrays(part, this.#upTo)();
    if (E.isLeft(read)) return read;
    const failures: (EventFailure | ReadModelFailure)[] = [];
    let [events, orders, unknownSecrets] = [0, 0, 0];
    for (const stream of read.right.streams) {
      const verdict = verifyStream(stream, this.#secretKey, (event) => {
        this.#trail.add(event);
        events += 1;
        addAll(failures, this.#ofLast(event));
      });
      const fold = new StreamFold(stream.events, (event, place) => {
        const payload = verdict.payloads[place] ?? null;
        return payload === null ? readLedgerEvent(event) : ledgerEventOf(event, payload);
      });
      const releases = isQuarantineStream(stream.stream) ? await verifyReleases(this.#store, stream) : E.right([]);
      if (E.isLeft(releases)) return releases;
      for (const found of [verdict.failures, releases.right, this.#orders?.of(stream, fold) ?? []])
        addAll(failures, found);
      this.#steps?.add(stream, fold);
      addAll(failures, this.#bank?.of(stream) ?? []);
      unknownSecrets += verdict.unknownSecrets;
      if (isOrderStream(stream.stream)) orders += 1;
    }
    const strays = verifyStrays(read.right.strays, this.#secretKey);
    for (const event of read.right.strays) this.#trail.add(event);
    return E.right({
      ...NOTHING,
      events: events + read.right.strays.length,
      orders,
      unknownSecrets: unknownSecrets + strays.unknownSecrets,
      failures: [...failures, ...strays.failures],
    });
  }

  /** Of each kind what was gathered, where that is so much. */
  #gathered(sums: number, marks: number): Pick<VerifyFound, 'steps' | 'trail'> {
    return {
      steps: this.#steps !== null && this.#steps.size >= sums ? this.#steps.take() : null,
      trail: this.#trail.size >= marks ? this.#trail.take() : null,
    };
  }
}
