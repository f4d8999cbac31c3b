/**
 * Lets others have their turn where that is due. To be awaited between pieces of work whose number a file decides: there may be
 * some hundred thousand lines, and the thread is the one in which deliveries come in.
 */
export type Turns = () => Promise<void>;
