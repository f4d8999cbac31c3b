import type { Reason } from '../../domain/reason.ts';

/** What is wrong with a member, in as few words as will do: one that is not there is missing. */
export const reasonWords = ({ message }: Reason): string => (message.endsWith('got nothing') ? 'missing' : message);

/** What somebody writes to the provider about a webhook that can't be read. It names it by its digest and holds no value of it. */
export const textForProvider = (
  {
    receivedAt,
    bodySha256,
    orderId,
  }: { readonly receivedAt: string; readonly bodySha256: string; readonly orderId: string | null },
  reasons: readonly Reason[],
): string =>
  [
    `A webhook that you signed and that we received at ${receivedAt} cannot be read as an order${orderId === null ? '' : ` (order ${orderId})`}:`,
    '',
    ...reasons.map((reason) => `- ${reason.path === '' ? 'the body' : reason.path}: ${reasonWords(reason)}`),
    '',
    `SHA-256 of its body: ${bodySha256}`,
    '',
    'Please tell us what it means, or send it again as your documentation describes it.',
    '',
  ].join('\n');
