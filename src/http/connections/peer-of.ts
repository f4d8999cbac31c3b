import { BlockList, isIP } from 'node:net';

const NEAR_V4 = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const;

const NEAR_V6 = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;

/** This machine and private networks (RFC 1918, 3927, 4193, 4291, 6598): a proxy of the merchant's own stands there. */
const near = new BlockList();
for (const [network, bits] of NEAR_V4) near.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of NEAR_V6) near.addSubnet(network, bits, 'ipv6');

const isNear = (address: string): boolean =>
  isIP(address) !== 0 && near.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

const GROUPS_OF_NETWORK = 4;

const GROUPS = 8;
const BYTE_BITS = 8;
/** Before an address of IPv4 that is written as one of IPv6. */
const MAPPED = '0:0:0:0:0:ffff';

/** The last 32 bits of an address of IPv6 may be written as one of IPv4. */
const inGroups = (part: string): readonly number[] =>
  part.split(':').flatMap((group) => {
    if (!group.includes('.')) return group === '' ? [] : [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << BYTE_BITS) | b, (c << BYTE_BITS) | d];
  });

/** The groups of an address of IPv6, however it is written: proxies hand on what others wrote. */
const groupsOf = (address: string): readonly number[] => {
  const [withoutZone = ''] = address.split('%', 1);
  const [head = '', tail] = withoutZone.split('::');
  const [before, after] = [inGroups(head), inGroups(tail ?? '')];
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => 0), ...after];
};

/** A network is one's own to take addresses from: of IPv6 the first 64 bits count. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const written = groups.map((group) => group.toString(16));
  return written.slice(0, -2).join(':') === MAPPED
    ? groups
        .slice(-2)
        .flatMap((group) => [group >> BYTE_BITS, group & 0xff])
        .join('.')
    : written.slice(0, GROUPS_OF_NETWORK).join(':');
};

/** An address as proxies write it, some of them with a port: `203.0.113.7:51234`, `[2001:db8::7]:443`. */
const addressIn = (written: string): string =>
  /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(written)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(written)?.[1] ?? written;

/**
 * Who somebody is that can't be asked yet: the network that they come from. `forwarded`: what a proxy says in
 * `X-Forwarded-For`, whose last address is the one that the proxy itself saw; null where none stands before the ledger.
 * It is believed of this machine and of private networks alone: from elsewhere somebody has come past the proxy.
 */
export const peerOf = (remoteAddress: string | undefined, forwarded: string | null): string => {
  const remote = remoteAddress ?? '';
  const last = forwarded?.slice(forwarded.lastIndexOf(',') + 1).trim() ?? '';
  const seen = addressIn(last);
  return networkOf(isIP(seen) !== 0 && isNear(remote) ? seen : remote);
};
