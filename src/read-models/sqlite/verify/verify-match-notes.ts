import { branded } from '../../../domain/brand.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { readDecision } from '../../stored-match.ts';
import { coverOf } from '../match/bank-match.ts';
import type { BankTables } from '../match/bank-tables.ts';
import { type MatchDifferences, readable } from './match-differences.ts';
import type { VerifiedMatch } from './verified-match.ts';

/** Compares what is noted beside items, what is still brought in, decisions and covered days, with what was imported and decided. */
export class MatchNoteVerification {
  readonly #sql: SqliteStatements;
  readonly #bank: BankTables;
  readonly #differences: MatchDifferences;

  constructor({ sql, bank, differences }: VerifiedMatch) {
    this.#sql = sql;
    this.#bank = bank;
    this.#differences = differences;
  }

  compare(): void {
    this.#differences.look('what is still brought in', () => this.#ofDue());
    this.#differences.look('decisions', () => this.#ofDecided());
    this.#differences.look('covered days', () => this.#ofCover());
  }

  /** The days that files speak of, but for files that are still brought in, and the chains of transfers. */
  #ofCover(): void {
    const due = new Set(this.#sql.all(verifyMatchStatements.due, {}).map(({ statement_id }) => statement_id));
    const expected = new Set<string>();
    for (const row of this.#sql.all(verifyMatchStatements.files, {})) {
      const statement = due.has(row.statement_id) ? null : this.#bank.statement(branded(row.statement_id));
      for (const cover of statement === null ? [] : coverOf(statement)) {
        if (cover._tag === 'Covered')
          expected.add(`${cover.currency} ${cover.from} ${cover.to} of ${cover.statementId}`);
      }
    }
    const stored = this.#sql
      .all(verifyMatchStatements.covers, {})
      .map((row) => `${row.currency} ${row.first_day} ${row.last_day} of ${row.statement_id}`);
    this.#differences.same('covered days', new Set(stored), expected);
    const chains = this.#sql.all(evidenceStatements.chains, {}).map(({ chain_id }) => chain_id);
    const seen = this.#sql.all(verifyMatchStatements.seenChains, {}).map(({ chain_id }) => chain_id);
    this.#differences.same('chain', new Set(chains), new Set(seen));
  }

  /** Parts of files that are still brought in are left out of what is compared: they must be of files that there are. */
  #ofDue(): void {
    for (const { statement_id } of this.#sql.all(verifyMatchStatements.strayDue, {}))
      this.#differences.add(`what is still brought in of bank file ${statement_id} differs`);
  }

  /** Each decision is found by what it names, and by nothing else. */
  #ofDecided(): void {
    const expected = this.#sql.all(verifyMatchStatements.decisions, {}).flatMap(({ item_id, body }) => {
      const decision = readable(body, readDecision);
      if (decision?.itemId !== item_id) this.#differences.add(`the decision on item ${item_id} differs`);
      return [...(decision?.group ?? []), ...(decision?.apart ?? [])].map((name) => `${name} on ${item_id}`);
    });
    const stored = this.#sql.all(verifyMatchStatements.decided, {}).map(({ name, item_id }) => `${name} on ${item_id}`);
    this.#differences.same('decisions of', new Set(stored), new Set(expected));
  }
}
