import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP port of this machine that can be closed and opened again, and the connections to it. */
export type Listener = {
  /** Opens the port, or any free one for 0, and says which it is. */
  readonly listen: (port: number) => Promise<number>;
  /** Closes the port and cuts every connection. */
  readonly stop: () => Promise<void>;
  readonly dropAll: () => void;
  /** Cuts the connection with that peer, written `address:port`. */
  readonly drop: (peer: string) => void;
};

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  address !== null && typeof address !== 'string';

/** The connections are handed on as they come; the sockets stay in reach, so that a test can cut them. */
export const listener = (accept: (socket: Socket) => void): Listener => {
  const sockets = new Map<string, Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(peer, socket);
    socket.on('close', () => sockets.delete(peer));
    // A connection that the client breaks off is no matter of the server's.
    socket.on('error', () => socket.destroy());
    accept(socket);
  });
  const dropAll = (): void => {
    for (const socket of sockets.values()) socket.destroy();
  };
  return {
    listen: async (port) => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return isAddress(address) ? address.port : port;
    },
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      dropAll();
      await closed;
    },
    dropAll,
    drop: (peer) => {
      sockets.get(peer)?.destroy();
    },
  };
};
