import type { RequestListener } from 'node:http';

/**
 * Has what is left of a request's body thrown away once its answer is made. Node does so when the answer has left the
 * process: where its caller reads none of it, what came of the body would lie in memory as long.
 */
export const bodiesDropped =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    // Not `once`, which makes two functions more of this one and takes them away again: it comes once anyway.
    response.on('prefinish', () => request.resume());
    listener(request, response);
  };
