import * as E from 'fp-ts/lib/Either.js';
import { workbookPieces, type Workbook } from './workbook-pieces.ts';

/** All bytes of a small workbook, whose sheets are at hand. */
export const wholeWorkbook = async (workbook: Workbook<never>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of workbookPieces(workbook)) if (E.isRight(piece)) pieces.push(piece.right);
  return Buffer.concat(pieces);
};
