/** Thrown where a file of the ledger's can't be what it is there for; the message says both what is wrong and what to do. */
export class UnusableFile extends Error {
  readonly detail: string;
  readonly cure: string;

  constructor(detail: string, cure: string) {
    super(`${detail}; ${cure}`);
    this.detail = detail;
    this.cure = cure;
  }
}
