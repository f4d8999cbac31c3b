/**
 * Why the ledger closed a connection that an answer was still owed on: what its socket is destroyed with, so that whoever makes
 * the answer hears of it as of any other end. The reason is for operators.
 */
export class ClosedHere extends Error {
  readonly code = 'CLOSED_HERE';
}
