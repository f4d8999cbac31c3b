import * as t from 'io-ts';
import { guarded } from '../../domain/guarded.ts';
import type { DiskNews } from '../disk-news.ts';
import type { HeldFile } from '../kept-place.ts';
import type { SecondName } from '../second-name.ts';
import type { OpenError } from './open-error.ts';

/** What the store's owner sends to its writer thread. */
export type ToWriter =
  | { readonly _tag: 'Write'; readonly frame: ArrayBuffer; readonly count: number }
  | { readonly _tag: 'Probe' }
  | { readonly _tag: 'Close' };

/** What the writer thread tells of by itself, once each. */
type ThreadNews =
  /** Nothing more is written until a restart, for a reason. */
  | { readonly _tag: 'Stopped'; readonly detail: string }
  /** The file got another name; nothing is lost by that alone, since no other ledger opens such a file. */
  | ({ readonly _tag: 'SecondName' } & SecondName);

/** What operators should know of the writing, told once each time. */
export type WriterNews =
  | ThreadNews
  | DiskNews
  /** Its file system is read-only. */
  | { readonly _tag: 'DiskReadOnly'; readonly detail: string }
  /** It can be written to again. */
  | { readonly _tag: 'DiskWritable' };

/** Why nothing can be written now: what is `full` or `read-only` is tried again. */
export type NotWritable = 'full' | 'read-only' | 'failed';

/** What the writer thread answers: once when it is open, then once for each message, in their order; and its news. */
export type FromWriter =
  | { readonly _tag: 'Opened' }
  | { readonly _tag: 'NotOpened'; readonly reason: OpenError }
  | {
      readonly _tag: 'Committed';
      readonly answers: Float64Array<ArrayBuffer>;
      readonly frame: ArrayBuffer;
      /** How long the commit took; null where another frame told of it. */
      readonly commitMs: number | null;
    }
  | {
      readonly _tag: 'NotCommitted';
      readonly state: NotWritable;
      readonly detail: string;
      readonly frame: ArrayBuffer;
    }
  | { readonly _tag: 'Probed'; readonly state: 'writable' | NotWritable; readonly detail: string }
  | ThreadNews;

/** What the writer thread opens, and the locks that keep every other writer out of it. */
export type WriterOptions = { readonly file: string; readonly locks: readonly HeldFile[] };

const ToWriterMessage: { readonly is: t.Is<ToWriter> } = t.union([
  t.type({
    _tag: t.literal('Write'),
    frame: guarded('frame', (u): u is ArrayBuffer => u instanceof ArrayBuffer),
    count: t.number,
  }),
  t.type({ _tag: t.literal('Probe') }),
  t.type({ _tag: t.literal('Close') }),
]);

/** Reads what came over the port. */
export const isToWriter = (value: unknown): value is ToWriter => ToWriterMessage.is(value);

const Options: { readonly is: t.Is<WriterOptions> } = t.type({
  file: t.string,
  locks: t.readonlyArray(t.type({ path: t.string, inode: t.bigint })),
});

export const isWriterOptions = (value: unknown): value is WriterOptions => Options.is(value);
