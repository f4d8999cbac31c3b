import { none, protocol, tagged } from '../../src/threads/thread-message.ts';

/** Read models are as they were, but for what this SQL does, or for some bytes behind a share of the file: what does `verify` say of them? */
export type Question =
  | { readonly _tag: 'Change'; readonly sql: string }
  | { readonly _tag: 'Flip'; readonly share: number };

/** Each failure as its problem and its detail. `changes`: how many rows were changed. */
export type Verified =
  | { readonly _tag: 'Verified'; readonly changes: number; readonly failures: readonly string[] }
  | { readonly _tag: 'Impossible'; readonly detail: string }
  | { readonly _tag: 'Unread'; readonly detail: string };

export const damageProtocol = protocol({
  question: tagged<Question>({ Change: true, Flip: true }),
  answer: tagged<Verified>({ Verified: true, Impossible: true, Unread: true }),
  note: none,
  news: none,
});

/** How the thread is started that verifies a ledger of a folder again and again. */
export const damageThread = (folder: string) => ({
  name: 'damage',
  file: new URL('./verify-damage-thread.ts', import.meta.url),
  data: folder,
  protocol: damageProtocol,
});
