import type { OrderId } from '../domain/ids.ts';
import type { HeaderDoc } from '../openapi/operation.ts';
import { attachedAs } from './attached.ts';
import type { Reply } from './reply.ts';

export const EVIDENCE_TYPE = 'application/zip';

/** The name of the file as the document shows it. */
export const EVIDENCE_ATTACHED: HeaderDoc = {
  description: 'A name for the file: of the order, where its id is plain.',
  schema: { type: 'string', pattern: '^attachment; filename="evidence(-[\\w.-]+)?\\.zip"$' },
};

/** Evidence as a file. */
export const evidenceReply = (orderId: OrderId, zip: Buffer): Reply<never> => ({
  type: EVIDENCE_TYPE,
  headers: attachedAs(/^[\w.-]{1,100}$/.test(orderId) ? `evidence-${orderId}.zip` : 'evidence.zip'),
  body: zip,
  ownsBytes: true,
});
