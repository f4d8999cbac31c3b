import { ownStream, type StreamName } from '../domain/ids.ts';

/** A bank file that is kept and is not what was imported, so that its lines can no longer be traced to what the bank sent. */
export type DamagedFile = {
  /** Of the file's import. */
  readonly stream: StreamName;
  readonly revision: null;
  readonly eventId: null;
  readonly orderId: null;
  readonly problem: 'bank-file-damaged';
  readonly detail: string;
};

/** @param statementId the digest that the file is kept under */
export const damagedFile = (statementId: string, detail: string): DamagedFile => ({
  stream: ownStream('statement', statementId),
  revision: null,
  eventId: null,
  orderId: null,
  problem: 'bank-file-damaged',
  detail,
});
