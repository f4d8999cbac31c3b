import type { Duplex } from 'node:stream';

/**
 * Has a connection read no further until the function that is returned is called: what is sent meanwhile stays with its
 * sender. What came in the same read is still made requests of, and that the other side has left is seen later.
 */
export const readLater = (socket: Duplex): (() => void) => {
  const stop = (): void => {
    socket.pause();
    // One that is paused already does not tell so again, and Node may have begun to read meanwhile.
    socket.emit('pause');
  };
  // Node reads on behind each request, and when an answer is sent or a body is read.
  socket.on('resume', stop);
  stop();
  return () => {
    socket.off('resume', stop);
    socket.resume();
  };
};
