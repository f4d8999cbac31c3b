import { exchange, type Answer } from '../support/exchange.ts';
import { hiddenField, sendForm } from './sign-in.ts';

const BOUNDARY = 'x-boundary';

/** A bank file as a browser hands it in. */
type HandedFile = {
  readonly name: string;
  readonly content: string;
  /** The token of the form; left out: that of the session. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Hands a bank file in at the console. */
export const handIn = async (
  url: string,
  cookie: string,
  { name, content, token, headers = {} }: HandedFile,
): Promise<Answer> => {
  const own =
    token ?? hiddenField(await exchange(url, { path: '/console/reconciliation', headers: { cookie } }), 'token');
  const body = Buffer.from(
    [
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="token"\r\n\r\n${own}`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}`,
      `--${BOUNDARY}--\r\n`,
    ].join('\r\n'),
  );
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': body.length };
  return exchange(url, {
    method: 'POST',
    path: '/console/reconciliation/import',
    body,
    headers: { ...type, cookie, ...headers },
  });
};

/** The preview of a file that was handed in, read as somebody says. */
export const readAs = async (
  url: string,
  cookie: string,
  path: string,
  said: Readonly<Record<string, string>>,
): Promise<Answer> => {
  const token = hiddenField(await exchange(url, { path, headers: { cookie } }), 'token');
  return sendForm(url, `${path}/reading`, { token, ...said }, { cookie });
};
