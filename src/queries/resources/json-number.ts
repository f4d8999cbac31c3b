import type { Decimal } from '../../domain/decimal.ts';
import { ExactNumber, type JsonNumber } from '../../domain/json.ts';

/** A decimal as a JSON number with exactly its digits. */
export const jsonNumber = (decimal: Decimal): JsonNumber =>
  String(Number(decimal)) === decimal ? Number(decimal) : new ExactNumber(decimal);
