import { createHmac } from 'node:crypto';
import type { Fault } from './fault.ts';

/** What is sent at once: bytes with a signature, and what the sandbox means by them. */
export type Parcel = {
  readonly orderId: string;
  readonly status: string;
  readonly utr: string | null;
  /** `event`: as the provider sends it. Else the fault that it is part of. */
  readonly kind:
    | 'event'
    | Extract<Fault, 'duplicates' | 'reserialised' | 'other-facts' | 'wrong-signature' | 'altered-bytes'>;
  readonly body: Buffer;
  readonly signature: string;
};

/** Whether a parcel is the event itself, once more or in other bytes: each of them tells the receiver the same. */
export const tellsEvent = ({ kind }: Parcel): boolean =>
  kind === 'event' || kind === 'duplicates' || kind === 'reserialised';

/** Whether a parcel was not sent so by the provider: forged, or damaged on its way. It is sent once. */
export const isForged = ({ kind }: Parcel): boolean => kind === 'wrong-signature' || kind === 'altered-bytes';

/** Signs bytes: hex HMAC-SHA256 (docs/spec/provider.md, Webhook signature). */
export type Sign = (body: Buffer) => string;

export const signWith =
  (secret: Buffer): Sign =>
  (body) =>
    createHmac('sha256', secret).update(body).digest('hex');
