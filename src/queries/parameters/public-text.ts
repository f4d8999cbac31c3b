import { maskedPlainText } from '../masking/masking.ts';
import { anyText } from './parameters.ts';

/** A text of orders that is shown but for e-mail addresses: what holds one needs the scope by which they are shown. */
export const publicText = {
  ...anyText,
  needs: (text: string) => (maskedPlainText(text) === text ? null : 'pii:read'),
} as const;
