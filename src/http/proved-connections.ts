import type { Duplex } from 'node:stream';

/** Who is to be told of a connection: no more than one, once. */
const toTell = new WeakMap<Duplex, () => void>();

/** Has it told when somebody proves who they are by a connection: with a valid key or session, or by a delivery's signature. */
export const whenProved = (socket: Duplex, tell: () => void): void => {
  toTell.set(socket, tell);
};

/** Says that somebody has. */
export const provedBy = (socket: Duplex): void => {
  const tell = toTell.get(socket);
  if (tell === undefined) return;
  toTell.delete(socket);
  tell();
};
