const HOST = /^(?:[\w.-]{1,253}|\[?[\da-f:.]{2,45}\]?)$/i;
const HIGHEST_PORT = 65_535;

/** Whether a node can be at an address that a server tells: gRPC takes it for much else, a socket of this machine say. */
export const isNodeAddress = (host: string, port: number): boolean =>
  HOST.test(host) && Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT;
