import type { RequestId, Sha256 } from '../domain/ids.ts';

/** What operators are told of the spool. */
export type SpoolEvent =
  /** Deliveries are answered 202 from now on. */
  | { readonly _tag: 'StoreAway'; readonly detail: string }
  | { readonly _tag: 'StoreBack' }
  /** What the store does not take is answered 503 from now on: the spool does not take it either. */
  | { readonly _tag: 'SpoolRefuses'; readonly detail: string }
  | { readonly _tag: 'SpoolTakes' }
  /** The spool is empty again, after so many deliveries. */
  | { readonly _tag: 'Drained'; readonly deliveries: number }
  /** A delivery waits for a person, durably. */
  | {
      readonly _tag: 'SetAside';
      readonly key: string;
      readonly bodySha256: Sha256;
      readonly requestId: RequestId;
      readonly problem: string;
    }
  /** What waits can't be read at present. */
  | { readonly _tag: 'SpoolUnreadable'; readonly detail: string };
