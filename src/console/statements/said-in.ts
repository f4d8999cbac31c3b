import type { FilledTexts } from '../filled-parameters.ts';

const said = (texts: FilledTexts, name: string): string | null => {
  const text = texts.get(name)?.trim() ?? '';
  return text === '' ? null : text;
};

/** Which account and which profile a form names for a file; null: none. */
export const saidIn = (texts: FilledTexts): { readonly account: string | null; readonly profile: string | null } => ({
  account: said(texts, 'account'),
  profile: said(texts, 'profile'),
});
