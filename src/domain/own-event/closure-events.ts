import * as t from 'io-ts';
import { EventIdText, Sha256Text, type EventId, type Sha256 } from '../ids.ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `QuarantineClosed`: nothing more is to be done about a body in quarantine (docs/spec/domain.md, Closing a quarantined delivery). */
export type QuarantineClosedData = {
  readonly bodySha256: Sha256;
  readonly note: string;
  /** The reopening before it: what is closed again is another event. */
  readonly after: EventId | null;
};

/** Data of a `QuarantineReopened`: it is to be looked at again. */
export type QuarantineReopenedData = {
  readonly bodySha256: Sha256;
  /** The closing that it takes back. */
  readonly closed: EventId;
  readonly note: string;
};

export const QUARANTINE_CLOSED: OwnKind<'QuarantineClosed', QuarantineClosedData> = {
  type: 'QuarantineClosed',
  data: t.type({ bodySha256: Sha256Text, note: t.string, after: t.union([EventIdText, t.null]) }),
  stream: 'closure',
  about: ({ bodySha256 }) => bodySha256,
  parts: (data) => [sha256(JSON.stringify(data))],
};

export const QUARANTINE_REOPENED: OwnKind<'QuarantineReopened', QuarantineReopenedData> = {
  type: 'QuarantineReopened',
  data: t.type({ bodySha256: Sha256Text, closed: EventIdText, note: t.string }),
  stream: 'closure',
  about: ({ bodySha256 }) => bodySha256,
  parts: ({ closed }) => [closed],
};
