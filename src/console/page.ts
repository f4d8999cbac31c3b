import type { StreamName } from '../domain/ids.ts';
import { dropReply, type Reply } from '../replies/reply.ts';
import type { Html } from './html.ts';

/** The places of the console, as its navigation names them. */
export type Place =
  | 'overview'
  | 'orders'
  | 'reports'
  | 'periods'
  | 'reconciliation'
  | 'audit'
  | 'quarantine'
  | 'health'
  | 'none';

/** What a page shows; the frame around it is the same for all. */
export type Page = {
  /** For the window and the page's heading. */
  readonly title: string;
  readonly place: Place;
  readonly main: Html;
  readonly status?: number;
  /** What was searched for, which stays in the box. */
  readonly searched?: string;
  /** Whose events make it show itself anew: those of a stream, or of all; nothing where it stays as it is. */
  readonly live?: StreamName | 'all';
};

/** What a request is answered with: a page, the way to another, or a file or stream that is none. */
export type PageAnswer =
  | { readonly _tag: 'Page'; readonly page: Page }
  /** Seen with GET, so that a reload does not send a form again. */
  | { readonly _tag: 'SeeOther'; readonly location: string }
  /** A page of this console that the form is sent to once more, as it came: what it says may stand in no URL. */
  | { readonly _tag: 'SendOn'; readonly location: string }
  | { readonly _tag: 'Sent'; readonly reply: Reply<never> };

/** A large page as another thread has made it, or the file or the way to another page that it is. Plain data. */
export type WrittenPage =
  | { readonly _tag: 'Document'; readonly status: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly _tag: 'SeeOther'; readonly location: string }
  | {
      readonly _tag: 'File';
      readonly type: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Uint8Array<ArrayBuffer>;
    };

export const seeOther = (location: string): PageAnswer => ({ _tag: 'SeeOther', location });

export const sendOn = (location: string): PageAnswer => ({ _tag: 'SendOn', location });

export const sent = (reply: Reply<never>): PageAnswer => ({ _tag: 'Sent', reply });

/** Releases what an answer that nobody is given would need. */
export const dropAnswer = async (answer: { readonly _tag: 'Document' } | PageAnswer): Promise<void> => {
  if (answer._tag === 'Sent') await dropReply(answer.reply);
};

export const showPage = (page: Page): PageAnswer => ({ _tag: 'Page', page });
