import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { newOrderId, offRamp, onRamp, without } from '../support/payloads.ts';
import type { HostileBody } from './hostile-bodies.ts';

const WRONG_TYPES: readonly JsonValue[] = [null, true, 1, '', 'text', [], {}];

const ANY_TEXT: readonly JsonValue[] = ['', 'text'];
const FILLED_TEXT: readonly JsonValue[] = ['text'];

/**
 * What a required member may be among these; all others may be anything (docs/spec/domain.md, What must be readable).
 */
const READABLE: Readonly<Record<string, readonly JsonValue[]>> = {
  orderId: FILLED_TEXT,
  status: FILLED_TEXT,
  currency: FILLED_TEXT,
  fiat: [1],
  chainId: [1],
  customer: [],
  eventType: [],
  createdAt: [],
  created_at: [],
  receiverWalletAddress: ANY_TEXT,
  buyTokenSymbol: ANY_TEXT,
  buyTokenAddress: ANY_TEXT,
  senderWalletAddress: ANY_TEXT,
  sellTokenSymbol: ANY_TEXT,
  sellTokenAddress: ANY_TEXT,
};

const row = (name: string, payload: JsonObject, fits: boolean): HostileBody => ({
  name,
  bytes: Buffer.from(JSON.stringify(payload)),
  outcome: fits ? 'recorded' : 'quarantined',
});

const FLOWS = [
  ['onramp', (over: JsonObject) => onRamp({ metaData: {}, ...over })],
  ['offramp', (over: JsonObject) => offRamp({ metaData: {}, utr: 'UTR1', ...over })],
] as const;

/** Each member of both flows' payloads with a value of each other type. */
const wrongTypes = (): readonly HostileBody[] =>
  FLOWS.flatMap(([flow, payload]) =>
    Object.keys(payload({})).flatMap((field) =>
      WRONG_TYPES.map((value) => {
        const readable = field === 'utr' ? [null, ...ANY_TEXT] : (READABLE[field] ?? WRONG_TYPES);
        // An order id is of one flow only.
        const odd = field === 'orderId' && value === 'text' ? newOrderId() : value;
        const body = payload({ orderId: newOrderId(), [field]: odd });
        return row(`${flow}, ${field}: ${JSON.stringify(value)}`, body, readable.includes(value));
      }),
    ),
  );

/** Both flows' payloads without one of their members. */
const missing = (): readonly HostileBody[] =>
  FLOWS.flatMap(([flow, payload]) =>
    Object.keys(payload({})).map((field) =>
      row(`${flow} without ${field}`, without(payload({}), field), !(field in READABLE)),
    ),
  );

/** Bodies that differ from a sample in one member alone. */
export const oddFields = (): readonly HostileBody[] => [...wrongTypes(), ...missing()];
