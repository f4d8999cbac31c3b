import type { Reason } from './reason.ts';
import type { EventId, OrderId, RequestId, SecretId, Sha256 } from './ids.ts';
import type { Instant } from './instant.ts';
import type { OrderPayload } from './payload.ts';

/** A delivery whose signature was verified: the signed bytes and how they came. */
export type VerifiedDelivery = {
  readonly body: Buffer;
  readonly bodySha256: Sha256;
  readonly signature: string;
  readonly secretId: SecretId;
  readonly receivedAt: Instant;
  readonly requestId: RequestId;
};

/** What the signed bytes say. `plain`: `JSON.stringify(JSON.parse(body))` gives the body again. */
export type Content =
  | {
      readonly _tag: 'OrderEvent';
      readonly payload: OrderPayload;
      readonly eventId: EventId;
      /** The body's JSON text, without a BOM. */
      readonly text: string;
      readonly plain: boolean;
    }
  | { readonly _tag: 'Unreadable'; readonly reasons: readonly Reason[]; readonly orderId: OrderId | null };

/** What a body says from which an order event can be made. */
export type OrderContent = Extract<Content, { _tag: 'OrderEvent' }>;

export type Delivery = { readonly verified: VerifiedDelivery; readonly content: Content };

/** A delivery that an order event can be made from. */
export type OrderDelivery = { readonly verified: VerifiedDelivery; readonly content: OrderContent };
