import type { StoreContent } from '../event-store/sqlite/back-up.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** A store to be copied into a draft that is not there yet, and the bank files that go into it; all by their paths. */
export type BackupQuestion = {
  readonly _tag: 'Copy';
  readonly file: string;
  readonly draft: string;
  readonly bankFiles: string;
};

/** What became of it. */
export type BackupAnswer =
  | {
      readonly _tag: 'Copied';
      readonly content: Pick<StoreContent, 'events' | 'position'>;
      readonly bankFiles: number;
      /** Names of those that were left out. */
      readonly damaged: readonly string[];
    }
  /** The line says why it can't be made. */
  | { readonly _tag: 'Refused'; readonly line: string }
  /** The draft can't be written, in a few words. */
  | { readonly _tag: 'Unwritten'; readonly trouble: string };

/** How far it is: the share that is done, 0 to 1, and how many MiB. */
export type BackupNews = { readonly _tag: 'Progress'; readonly share: number; readonly mebibytes: number };

export const backupProtocol = protocol({
  question: tagged<BackupQuestion>({ Copy: true }),
  answer: tagged<BackupAnswer>({ Copied: true, Refused: true, Unwritten: true }),
  note: none,
  news: tagged<BackupNews>({ Progress: true }),
});
