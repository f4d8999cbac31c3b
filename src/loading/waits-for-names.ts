/** Node's names of questions to the system's resolver. */
const NAMES = /^Get(?:Addr|Name)InfoReq/;

/** How many questions of the calling thread where a name leads the system has not answered yet. */
export const namesAsked = (): number => process.getActiveResourcesInfo().filter((kind) => NAMES.test(kind)).length;

/**
 * Whether the calling thread has asked the system where a name leads and has no answer yet. Such a question stands in a thread
 * of libuv's pool for as long as no name server answers, minutes by the system's own bounds, and can't be taken back; Node's
 * own end waits for it.
 */
export const waitsForNames = (): boolean => namesAsked() > 0;
