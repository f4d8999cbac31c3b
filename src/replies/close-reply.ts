import type * as T from 'fp-ts/lib/Task.js';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import type { CloseBook } from '../queries/periods/book/close-book.ts';
import { closeWorkbook } from '../queries/periods/book/close-workbook.ts';
import { attachedAs } from './attached.ts';
import { XLSX } from './media-types.ts';
import type { Reply } from './reply.ts';

/** The workbook of a closed month. */
export const closeReply =
  (book: CloseBook, personal: PersonalData): T.Task<Reply<never>> =>
  async () => ({
    type: XLSX.sent,
    headers: attachedAs(`close-${book.closed.data.period}.xlsx`),
    body: await closeWorkbook(book, personal),
  });
