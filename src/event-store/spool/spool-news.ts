import type { DiskNews } from '../disk-news.ts';

/** What turns out where a spool is counted. */
export type CountNews =
  /** So many deliveries that waited are not in the file any more, and the first few of their keys: somebody took them out, or the file is not what it was. */
  | { readonly _tag: 'Vanished'; readonly deliveries: number; readonly keys: readonly string[] }
  /** Its write-ahead log was found broken at the start: what stood behind is not there, for a reason that also says where it is kept. */
  | { readonly _tag: 'LogBroken'; readonly detail: string }
  /** What it held at the start could not be counted to its end, for a reason: until it is, no delivery is taken. */
  | { readonly _tag: 'Uncounted'; readonly detail: string };

/** What operators should know of a spool's file. */
export type SpoolNews = DiskNews | CountNews;
