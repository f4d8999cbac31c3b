import { createHmac } from 'node:crypto';
import { branded } from '../../src/domain/brand.ts';
import type { OrderContent, VerifiedDelivery } from '../../src/domain/delivery.ts';
import type { RequestId, SecretId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { OrderPayload } from '../../src/domain/payload.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { sha256 } from '../../src/domain/sha256.ts';

/** The secret that the deliveries below are signed with. */
export const SECRET = 'test-secret-of-at-least-24-bytes';

let lastId = 0;

/** An order id that no other call in this process gave. */
export const newOrderId = (prefix = 'ord'): string => {
  lastId += 1;
  return `${prefix}-${String(lastId).padStart(8, '0')}`;
};

/** An on-ramp payload after the interface's sample, with other or further members. */
export const onRamp = (over: JsonObject = {}): JsonObject => ({
  fiat: 100,
  receiverWalletAddress: '0x1f9090aaE28b8a3dCeaDf281B0F12828e676c326',
  buyTokenSymbol: 'MATIC',
  buyTokenAddress: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  orderId: newOrderId(),
  status: 'fiatPending',
  currency: 'inr',
  chainId: 80001,
  customer: {
    id: '6384ad5d9f1c',
    email: 'asha.rao@example.com',
    phone: {},
    created_at: '2022-11-28T12:45:17.000Z',
  },
  txnHash: '',
  transferredAmount: '0.01',
  transferredAmountWei: '10000000000000000',
  createdAt: '2023-03-01T06:31:08.000Z',
  eventType: 'onramp',
  ...over,
});

/** An off-ramp payload after the interface's sample, with other or further members. */
export const offRamp = (over: JsonObject = {}): JsonObject => ({
  fiat: 5023.5,
  senderWalletAddress: '0x2f9090aaE28b8a3dCeaDf281B0F12828e676c327',
  sellTokenSymbol: 'USDT',
  sellTokenAddress: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  orderId: newOrderId(),
  status: 'pending',
  currency: 'INR',
  chainId: 137,
  customer: {
    id: '7384ad5d9f1d',
    name: 'Vikram Shah',
    email: 'vikram.shah@example.com',
    phone: { countrycode: '+91', number: '9876543210' },
    created_at: '2022-11-28T12:45:17.000Z',
  },
  created_at: '2023-03-01T06:31:08.000Z',
  updated_at: '0001-01-01T00:00:00Z',
  tenantId: '',
  transactionId: 'TRAREF0000001',
  tokensDeducted: 61.25,
  tds: 1.5,
  source: '',
  eventType: 'offramp',
  ...over,
});

/** A payload without one of its members. */
export const without = (payload: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key));

/** The bytes that a provider would sign: a payload as JSON, a text as it stands. */
export const bodyOf = (payload: JsonObject | string): Buffer =>
  Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));

/** The signature that the provider would send for a body. */
export const signatureOf = (body: Buffer, secret = SECRET): string =>
  createHmac('sha256', secret).update(body).digest('hex');

/** A body as a delivery whose signature was verified. */
export const verifiedDelivery = (body: Buffer, over: Partial<VerifiedDelivery> = {}): VerifiedDelivery => ({
  body,
  bodySha256: sha256(body),
  signature: signatureOf(body),
  secretId: branded<SecretId>('primary'),
  receivedAt: instantOf(Date.UTC(2023, 2, 1, 6, 31, 9)),
  requestId: branded<RequestId>('request-00000001'),
  ...over,
});

/** The secret of these deliveries, where it is the one that signed bytes; null for a forgery. */
export const signerOf = ({ body, signature }: Pick<VerifiedDelivery, 'body' | 'signature'>): SecretId | null =>
  signature === signatureOf(body) ? branded<SecretId>('primary') : null;

/** The order event that a body holds; a body that holds none fails the test. */
export const orderContent = (payload: JsonObject | string): OrderContent => {
  const content = readContent(bodyOf(payload));
  if (content._tag === 'OrderEvent') return content;
  throw new Error(`no order event: ${JSON.stringify(content.reasons)}`);
};

/** A payload as the ledger reads it. */
export const orderPayload = (payload: JsonObject | string): OrderPayload => orderContent(payload).payload;
