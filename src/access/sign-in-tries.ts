import { isIP } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often somebody at an address may be wrong about a key. */
export type SignInTries = {
  /** Counts a try; null where it may be made, else how many seconds are to be waited. */
  readonly count: (peer: string) => Promise<number | null>;
  /** The try that was counted was right. */
  readonly wasRight: (peer: string) => Promise<void>;
};

/** Keys are random: ten are enough for who takes the wrong one, or half of one. */
const WRONG_PER_MINUTE = 10;
const SECOND_MS = 1_000;

/** Counts in the memory of this process. */
export const signInTries = (wrongPerMinute = WRONG_PER_MINUTE): SignInTries => {
  const limiter = new RateLimiterMemory({ points: wrongPerMinute, duration: 60 });
  return {
    count: (peer) =>
      limiter.consume(peer).then(
        () => null,
        (refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          return Math.max(1, Math.ceil(refusal.msBeforeNext / SECOND_MS));
        },
      ),
    wasRight: async (peer) => {
      await limiter.reward(peer, 1);
    },
  };
};

const GROUPS_OF_NETWORK = 4;

/** A network is one's own to take addresses from: of IPv6 the first 64 bits count. */
const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after]
    .slice(0, GROUPS_OF_NETWORK)
    .join(':');
};

/**
 * Who somebody is that can't be asked yet: the address that they come from. `forwarded`: what a proxy says in
 * `X-Forwarded-For`, whose last address is the one that the proxy itself saw; null where none stands before the ledger.
 */
export const peerOf = (remoteAddress: string | undefined, forwarded: string | null): string => {
  const seen = forwarded?.split(',').at(-1)?.trim() ?? '';
  return networkOf(isIP(seen) === 0 ? (remoteAddress ?? '') : seen);
};
