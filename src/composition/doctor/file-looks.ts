import type * as t from 'io-ts';
import type { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import type { Environment } from '../../config/index.ts';
import type { LedgerFacts } from '../../doctor/doctor-checks.ts';
import type { Position } from '../../domain/ids.ts';
import type { ReadModelsSeen } from '../../read-models/read-models-seen.ts';
import { tagged } from '../../threads/thread-message.ts';
import type { KeptLog } from './look-at-checkpoints.ts';
import type { Unwritable } from './try-to-write.ts';

/** What is looked at, one after the other; each look may stand in a call to a disk that hangs. */
export const FILE_LOOKS = ['Folders', 'Spool', 'ReadModels', 'Trial', 'Log'] as const;

export type FileLook = (typeof FILE_LOOKS)[number];

/** What a look found, by its name. */
export type FileFound =
  | ({
      readonly _tag: 'Folders';
      readonly kept: KeptLog;
      /** What the file of arrivals says. */
      readonly arrivals: ArrivalsSeen;
    } & Pick<LedgerFacts, 'dataDirectory' | 'disks' | 'storeInUse'>)
  | ({ readonly _tag: 'Spool' } & Pick<LedgerFacts, 'spool'>)
  | ({ readonly _tag: 'ReadModels' } & Pick<LedgerFacts, 'readModels'>)
  | { readonly _tag: 'Trial'; readonly unwritable: Unwritable | null }
  | ({ readonly _tag: 'Log' } & Pick<LedgerFacts, 'log'>);

/** What the process that looks is told, once. */
export type ToLooker = {
  readonly _tag: 'Look';
  readonly env: Environment;
  readonly looks: readonly FileLook[];
  /** The last position that the read models say they include, and that of the last event that was signed, as far as they are known. */
  readonly included: Position | null;
  readonly signed: Position | null;
};

/** What it says. */
export type FromLooker =
  | { readonly _tag: 'Begins'; readonly look: FileLook }
  | { readonly _tag: 'Found'; readonly found: FileFound }
  /** A look failed where none may. */
  | { readonly _tag: 'Failed'; readonly look: FileLook; readonly detail: string };

const ToLookerMessage: t.Type<ToLooker> = tagged<ToLooker>({ Look: true });
const FromLookerMessage: t.Type<FromLooker> = tagged<FromLooker>({ Begins: true, Found: true, Failed: true });

export const isToLooker: t.Is<ToLooker> = ToLookerMessage.is;
export const isFromLooker: t.Is<FromLooker> = FromLookerMessage.is;

/** The last position that read models say they include; null where there is none that is known. */
export const includedIn = (readModels: ReadModelsSeen): Position | null =>
  readModels._tag === 'Serving' ? (readModels.checkpoint?.position ?? null) : null;
