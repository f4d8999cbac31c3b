import type { HeaderDoc } from '../openapi/operation.ts';

/** The header that makes an answer a file of this name. */
export const attachedAs = (name: string): Readonly<Record<'Content-Disposition', string>> => ({
  'Content-Disposition': `attachment; filename="${name}"`,
});

/** That header as the document shows it. */
export const ATTACHED: HeaderDoc = {
  description: 'A name for the file.',
  schema: { type: 'string', pattern: '^attachment; filename="[a-z0-9.-]+"$' },
};
