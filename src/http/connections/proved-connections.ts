import type { Duplex } from 'node:stream';

/** Who is to be told of a connection: no more than one, once. */
const toTell = new WeakMap<Duplex, () => void>();

/** Whether the last ones that had to prove who they are by a connection did. */
const lastProofs = new WeakMap<Duplex, boolean>();

/** Has it told when somebody proves who they are by a connection: with a valid key or session, or by a delivery's signature. */
export const whenProved = (socket: Duplex, tell: () => void): void => {
  toTell.set(socket, tell);
};

/** Says that somebody has. */
export const provedBy = (socket: Duplex): void => {
  // Nearly always it is so already: to write it down again would cost more than to look.
  if (lastProofs.get(socket) !== true) lastProofs.set(socket, true);
  const tell = toTell.get(socket);
  if (tell === undefined) return;
  toTell.delete(socket);
  tell();
};

/** Says that a delivery that came by a connection was refused, and nothing proved who sent it. */
export const notProvedBy = (socket: Duplex): void => {
  lastProofs.set(socket, false);
};

/**
 * Whether the last ones that had to prove who they are by a connection did; null where there was none. Behind a proxy all
 * callers are one peer, so that a connection by which forged deliveries come is only known by itself.
 */
export const lastProofBy = (socket: Duplex): boolean | null => lastProofs.get(socket) ?? null;
