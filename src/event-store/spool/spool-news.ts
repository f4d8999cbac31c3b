import type { DiskNews } from '../disk-news.ts';

/** So many deliveries that waited are not in the file any more, and the first few of their keys: somebody took them out, or the file is not what it was. */
export type VanishedNews = {
  readonly _tag: 'Vanished';
  readonly deliveries: number;
  readonly keys: readonly string[];
};

/** What operators should know of a spool's file. */
export type SpoolNews = DiskNews | VanishedNews;
