import { signWith } from '../../sandbox/parcel.ts';
import { createPost } from '../../sandbox/post.ts';

/** Where the demonstration delivers to, and what it signs with. */
export type DemoCallback = { readonly target: URL; readonly secret: Buffer };

/** An order event as a provider sends it, but for what the demonstration takes away. */
const PAYLOAD = {
  receiverWalletAddress: '0x1f9090aae28b8a3dceadf281b0f12828e676c326',
  buyTokenSymbol: 'MATIC',
  buyTokenAddress: '0x0000000000000000000000000000000000001010',
  orderId: 'demo-odd-1',
  status: 'fiatPending',
  currency: 'INR',
  chainId: 137,
  customer: { id: 'demo-customer', email: 'asha.rao@example.com', phone: {}, created_at: '2022-11-28T12:45:17.000Z' },
  txnHash: '',
  createdAt: '2026-01-02T10:00:00.000Z',
  eventType: 'onramp',
};

/** Of nobody who knows the ledger's secret. */
const FORGER = signWith(Buffer.from('a secret that nobody ever agreed upon'));

/**
 * Delivers what no order comes of: a signed body that can't be read, which goes to quarantine, a forged one, and one that
 * something on the way wrote anew, which are refused. The ledger's pages show what to do about each.
 */
export const deliverOdd = async ({ target, secret }: DemoCallback): Promise<void> => {
  const sign = signWith(secret);
  const { post, close } = createPost(target, 1, () => performance.now());
  const unreadable = Buffer.from(JSON.stringify(PAYLOAD));
  const whole = JSON.stringify({ ...PAYLOAD, fiat: 100 });
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(whole), null, 2));
  try {
    await post({ body: unreadable, signature: sign(unreadable) });
    await post({ body: Buffer.from(whole), signature: FORGER(Buffer.from(whole)) });
    await post({ body: rewritten, signature: sign(Buffer.from(whole)) });
  } finally {
    close();
  }
};
