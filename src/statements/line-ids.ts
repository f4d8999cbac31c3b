import { branded } from '../domain/brand.ts';
import { normalised } from '../domain/decimal.ts';
import { hmacSha256 } from '../domain/hmac-sha256.ts';
import type { Sha256 } from '../domain/ids.ts';
import { lineKeyBytes, type LineKey } from '../domain/line-key.ts';
import { sha256 } from '../domain/sha256.ts';
import type { BankLine, LineId } from '../domain/statement-line.ts';

/** A digest over what a line says, in one spelling: equal lines have equal ones. How the file wrote it is no part of it. */
export const contentDigest = (line: BankLine): Sha256 =>
  sha256(
    JSON.stringify([
      line.account,
      line.currency,
      line.bookedOn,
      line.valueOn,
      normalised(line.amount),
      line.direction,
      line.reversal,
      line.references,
      line.text,
    ]),
  );

/** What a line says, and how many equal ones are before it. */
export type LinePlace = { readonly content: Sha256; readonly before: number };

/** The ids that a line may have in the ledger: one with the log's key, or the one that the first ledgers gave it. */
export type LineNames = { readonly keyed: LineId; readonly former: LineId };

/**
 * Names lines by their places (docs/spec/statements.md, A line). Without the key, which nobody is shown, whoever sees all of
 * a line but its text could try texts against its id.
 */
export const lineNaming = (key: LineKey): ((place: LinePlace) => LineNames) => {
  const bytes = lineKeyBytes(key);
  return ({ content, before }) => {
    const text = JSON.stringify([content, before]);
    return {
      keyed: branded<LineId>(hmacSha256(bytes, Buffer.from(text))),
      former: branded<LineId>(before === 0 ? content : sha256(text)),
    };
  };
};
