import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Generated } from 'kysely';

/**
 * The tables of one generation of the read models. Everything but ids and counters is text, so that any SQL database
 * can hold it; texts are compared by their UTF-8 bytes.
 */
export type Tables = {
  /** One row: what this generation was made by and for. */
  generation: { projections: string; time_zone: string; complete: number };
  /** One row, none before the first event. `events`: how many there are up to it. */
  checkpoint: { id: number; position: string; at: string; events: number };
  /** Classes of orders, a few hundred of them: `facet` is the JSON of `facetKey`. `orders`: how many are in it now; `settled`: how many of them have settled. */
  facets: { id: Generated<number>; facet: string; orders: number; settled: number };
  orders: {
    /** Handed out in growing order, so that rows grow at the end of the table. */
    no: Generated<number>;
    order_id: string;
    facet: number;
    /** An instant without its Z, which sorts by time. */
    created_at: string;
    created_day: string;
    settled_day: string | null;
    /** When its clock anomaly begins, without the Z. */
    clock_after: string | null;
    /** JSON of the state. */
    state: string;
    /** JSON array of references that the state does not show; null for none. */
    other_utrs: string | null;
  };
  /** How many orders settled on a day: a settled list asks day by day. */
  settled_days: { day: string; orders: number };
  /** Sums over orders. `grain`: `day` or `month`; amounts are in plain notation, those of settled orders together as JSON. */
  cells: {
    flow: string;
    basis: string;
    grain: string;
    period: string;
    facet: number;
    orders: number;
    fiat: string;
    settled: string | null;
  };
  /** Runs of events in the order of positions; `marks` holds position, type and receipt of each. */
  audit_chunks: {
    first_position: number;
    last_position: number;
    received_from: number;
    received_to: number;
    types: string;
    marks: Uint8Array;
  };
  quarantine: {
    position: number;
    event_id: string;
    stream: string;
    /** The order and the reference that its body names. */
    order_id: string | null;
    utr: string | null;
    quarantined: string;
    released_as: string | null;
  };
  /** What orders and events are found by: see term-index.ts. */
  order_terms: TermTable;
  order_term_blocks: TermBlockTable;
  audit_terms: TermTable;
  audit_term_blocks: TermBlockTable;
};

type TermTable = { term: number; rank: number; ref: number };
/** `no`: a segment's blocks follow each other. */
type TermBlockTable = {
  no: Generated<number>;
  segment: number;
  first_term: number;
  first_rank: number;
  entries: Uint8Array;
};

/** Builds statements; they are run by whoever holds a connection, prepared once. */
export const sqlite = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
