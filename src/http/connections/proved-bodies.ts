import type { IncomingMessage } from 'node:http';

const proved = new WeakSet<IncomingMessage>();

/** Says that whoever sends a body has shown a valid key for it, and that it is read from now on. */
export const bodyProved = (request: IncomingMessage): void => {
  proved.add(request);
};

/** Whether somebody has shown who sends a body. Of what came before that nobody knew it. */
export const isBodyProved = (request: IncomingMessage): boolean => proved.has(request);
