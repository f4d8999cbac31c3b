import { BlockList, isIPv4, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can reach a host: 127.0.0.0/8, ::1, in brackets as in a URL or without, or localhost. */
export const isLoopback = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(host)) return loopback.check(host, 'ipv4');
  return isIPv6(host) ? loopback.check(host, 'ipv6') : host.toLowerCase() === 'localhost';
};
