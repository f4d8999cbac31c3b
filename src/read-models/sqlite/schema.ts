import type Database from 'better-sqlite3';

/** Raised with every change of the tables and of what is in their indexes: a generation of another schema is rebuilt, not altered. */
export const SCHEMA = 24;

/**
 * The tables of one generation. Everything but ids and counters is text, so that any SQL database can hold it; texts are
 * compared by their UTF-8 bytes.
 */
const TABLES = `
  -- One row: what this generation was made by and for.
  CREATE TABLE generation (
    projections TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    match_settings TEXT NOT NULL,
    complete INTEGER NOT NULL
  ) STRICT;

  -- One row, none before the first event. events: how many there are up to it.
  CREATE TABLE checkpoint (
    id INTEGER PRIMARY KEY,
    position TEXT NOT NULL,
    at TEXT NOT NULL,
    event_id TEXT NOT NULL,
    events INTEGER NOT NULL
  ) STRICT;

  -- Classes of orders, a few hundred of them: facet is the JSON of facetKey. orders: how many are in it now; settled: how
  -- many of them have settled.
  CREATE TABLE facets (
    id INTEGER PRIMARY KEY,
    facet TEXT NOT NULL UNIQUE,
    orders INTEGER NOT NULL,
    settled INTEGER NOT NULL
  ) STRICT;

  -- no: handed out in growing order, so that rows grow at the end. created_at: an instant without its Z, which sorts by
  -- time. clock_after: when its clock anomaly begins, without the Z. state: what restText writes. other_utrs: JSON array of references that
  -- the state does not show; null for none.
  CREATE TABLE orders (
    no INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL,
    facet INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    created_day TEXT NOT NULL,
    settled_day TEXT,
    clock_after TEXT,
    state TEXT NOT NULL,
    other_utrs TEXT
  ) STRICT;

  -- How many orders settled on a day: a settled list asks day by day.
  CREATE TABLE settled_days (
    day TEXT NOT NULL PRIMARY KEY,
    orders INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Sums over orders. grain: day or month; amounts are in plain notation, those of settled orders together as JSON.
  CREATE TABLE cells (
    flow TEXT NOT NULL,
    basis TEXT NOT NULL,
    grain TEXT NOT NULL,
    period TEXT NOT NULL,
    facet INTEGER NOT NULL,
    orders INTEGER NOT NULL,
    fiat TEXT NOT NULL,
    settled TEXT,
    PRIMARY KEY (flow, basis, grain, period, facet)
  ) STRICT, WITHOUT ROWID;

  -- Steps of the log behind each other, up to the checkpoint (see LogStep). up_to: the position of a step's last event.
  CREATE TABLE steps (
    no INTEGER PRIMARY KEY,
    up_to INTEGER NOT NULL,
    events INTEGER NOT NULL
  ) STRICT;
  -- What the sums of days changed by in a step; all of a cell's steps come to it.
  CREATE TABLE step_cells (
    flow TEXT NOT NULL,
    basis TEXT NOT NULL,
    step INTEGER NOT NULL,
    day TEXT NOT NULL,
    facet INTEGER NOT NULL,
    orders INTEGER NOT NULL,
    fiat TEXT NOT NULL,
    settled TEXT,
    PRIMARY KEY (flow, basis, step, day, facet)
  ) STRICT, WITHOUT ROWID;

  -- Runs of events in the order of positions; marks holds position, type and receipt of each.
  CREATE TABLE audit_chunks (
    first_position INTEGER PRIMARY KEY,
    last_position INTEGER NOT NULL,
    received_from INTEGER NOT NULL,
    received_to INTEGER NOT NULL,
    types TEXT NOT NULL,
    marks BLOB NOT NULL
  ) STRICT;

  -- order_id and utr: those that its body names.
  CREATE TABLE quarantine (
    position INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    stream TEXT NOT NULL UNIQUE,
    order_id TEXT,
    utr TEXT,
    quarantined TEXT NOT NULL,
    released_as TEXT
  ) STRICT;

  -- Deliveries in quarantine, by their streams, that somebody closed and nobody opened again. closing: by whom, when and why,
  -- as JSON.
  CREATE TABLE quarantine_closings (
    stream TEXT NOT NULL PRIMARY KEY,
    closing TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Bank files; position: that of their last event, which makes their lines count. noted: by whom and when, as JSON.
  CREATE TABLE statements (
    position INTEGER PRIMARY KEY,
    statement_id TEXT NOT NULL UNIQUE,
    reading TEXT NOT NULL,
    statement TEXT NOT NULL,
    noted TEXT NOT NULL
  ) STRICT;

  -- Those of a reading that is in statements count: nothing is written to them when the file's last event comes. A line that
  -- several files bring has several rows of one line_id: the one of the lowest position there counts.
  CREATE TABLE statement_lines (
    statement_id TEXT NOT NULL,
    reading TEXT NOT NULL,
    idx INTEGER NOT NULL,
    line_id TEXT NOT NULL,
    account TEXT NOT NULL,
    booked_on TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (statement_id, reading, idx)
  ) STRICT, WITHOUT ROWID;

  -- position: that of the first observation. hash_key: the hash in lower case. observed_at, event_id: of the newest one.
  CREATE TABLE transfers (
    transfer_id TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    chain_id INTEGER NOT NULL,
    hash_key TEXT NOT NULL,
    observed_at TEXT NOT NULL,
    event_id TEXT NOT NULL,
    transfer TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Sorted runs of what orders and events are found by, see TermIndex. The blocks of run r are numbered from r * 65536 on;
  -- the first holds the fences of the others.
  CREATE TABLE term_runs (
    no INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE term_blocks (
    no INTEGER PRIMARY KEY,
    entries BLOB NOT NULL
  ) STRICT;

  -- Bank lines and transfers, found by the names of their nodes through the index of terms.
  -- file, idx: of a line, the position of the first import that brought it, and its index there. own: JSON of the references
  -- that all its files call the bank's own, where the first one says otherwise. further: JSON of the terms that it is found by
  -- as others of its files have it, where there are any. item: the number of the item that it is in.
  CREATE TABLE match_evidence (
    no INTEGER PRIMARY KEY,
    file INTEGER,
    idx INTEGER,
    transfer_id TEXT,
    own TEXT,
    further TEXT,
    item INTEGER
  ) STRICT;
  -- Days that statements speak of, and chains that transfers were seen on.
  CREATE TABLE match_cover (
    statement_id TEXT NOT NULL,
    currency TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    PRIMARY KEY (statement_id, currency, first_day, last_day)
  ) STRICT, WITHOUT ROWID;
  -- Large files whose lines are still brought into the match, by the position of their import; the next behind this index.
  -- lines: of the whole file.
  CREATE TABLE match_due (
    position INTEGER PRIMARY KEY,
    statement_id TEXT NOT NULL,
    after INTEGER NOT NULL,
    lines INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE match_chains (chain_id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- Decisions in force, and the nodes that they name.
  CREATE TABLE match_decisions (item_id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE match_decided (
    name TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (name, item_id)
  ) STRICT, WITHOUT ROWID;
  -- Items of the match, but for orders that nothing was found for and nobody has decided on: those are in match_awaited, by
  -- their number alone. Rows stand as they came, and are found by their id through the index of terms: ids are digests, and
  -- each of a part of a file would take a page of its own in a table that is in their order.
  -- evidence: JSON of the numbers of its lines and transfers, in the order of its members.
  CREATE TABLE match_items (
    no INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL,
    day TEXT NOT NULL,
    list INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  -- Items of one state, rule and codes of breaks are one list. list: the JSON of these.
  CREATE TABLE match_lists (id INTEGER PRIMARY KEY, list TEXT NOT NULL UNIQUE) STRICT;
  -- Orders that are in an item's row. no: the order's number; item: the item's.
  CREATE TABLE match_placed (no INTEGER PRIMARY KEY, item INTEGER NOT NULL) STRICT;
  -- Items of so many members that what may belong to them waits until they are made anew, all of it at once. ref: the order, line
  -- or transfer that waits, as the index of terms leads to it; position: of what brought it, or the one behind what came before.
  CREATE TABLE match_large (item INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE match_waiting (ref INTEGER PRIMARY KEY, position INTEGER NOT NULL) STRICT;
  CREATE TABLE match_awaited (
    no INTEGER PRIMARY KEY,
    class INTEGER NOT NULL,
    day TEXT NOT NULL,
    fiat TEXT NOT NULL
  ) STRICT;
  -- How many items there are of a class and day, and what they come to. class: JSON of what a summary groups and filters by.
  CREATE TABLE match_classes (id INTEGER PRIMARY KEY, class TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE match_cells (
    class INTEGER NOT NULL,
    day TEXT NOT NULL,
    items INTEGER NOT NULL,
    fiat TEXT NOT NULL,
    PRIMARY KEY (class, day)
  ) STRICT, WITHOUT ROWID;
`;

/** Made after a bulk load, when sorting once is cheaper than keeping them in order all the time. */
const INDEXES = `
  CREATE INDEX orders_by_creation ON orders (created_at, order_id);
  CREATE INDEX orders_by_facet ON orders (facet, created_at, order_id);
  CREATE INDEX orders_by_settlement ON orders (settled_day, created_at, order_id, facet) WHERE settled_day IS NOT NULL;
  CREATE INDEX orders_by_clock ON orders (facet, clock_after) WHERE clock_after IS NOT NULL;
  CREATE INDEX quarantine_by_release ON quarantine (released_as);
  CREATE INDEX quarantine_by_order ON quarantine (order_id, position);
  CREATE INDEX lines_by_id ON statement_lines (line_id);
  CREATE INDEX transfers_by_position ON transfers (position);
  CREATE INDEX transfers_by_hash ON transfers (hash_key, position);
  CREATE INDEX quarantine_by_utr ON quarantine (utr, position);
  CREATE INDEX match_items_by_list ON match_items (list, day, item_id);
  CREATE INDEX match_awaited_by_class ON match_awaited (class, day, no);
`;

/** Makes the tables of an empty generation. */
export const createTables = (database: Database.Database): void => {
  database.exec(TABLES);
};

/** Makes its indexes: one for every query that is offered. */
export const createIndexes = (database: Database.Database): void => {
  database.exec(INDEXES);
};
