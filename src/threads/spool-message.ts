import * as t from 'io-ts';
import type { KeeperOptions, SpoolAnswer, SpoolQuestion } from '../event-store/spool/keeper-message.ts';
import { none, protocol, tagged } from './thread-message.ts';

export const spoolProtocol = protocol<SpoolQuestion, SpoolAnswer, never, never>({
  question: tagged<SpoolQuestion>({
    Open: true,
    NextRows: true,
    Write: true,
    Read: true,
    ReadSetAside: true,
    Probe: true,
    Look: true,
    TruncateLog: true,
  }),
  answer: tagged<SpoolAnswer>({
    Opened: true,
    Rows: true,
    Written: true,
    Delivery: true,
    SetAside: true,
    Done: true,
    NotOpened: true,
    Failed: true,
  }),
  note: none,
  news: none,
});

const Options: { readonly is: t.Is<KeeperOptions> } = t.type({
  file: t.string,
  locks: t.readonlyArray(t.type({ path: t.string, inode: t.bigint })),
});

export const isKeeperOptions = (value: unknown): value is KeeperOptions => Options.is(value);
