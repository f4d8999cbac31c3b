import { exchange, type Answer } from '../support/exchange.ts';
import { hiddenField, sendForm } from './sign-in.ts';

const PAGE = '/console/reconciliation';

type Fields = Readonly<Record<string, string>>;

const sent = async (url: string, cookie: string, path: string, fields: Fields): Promise<Answer> => {
  const token = hiddenField(await exchange(url, { path: PAGE, headers: { cookie } }), 'token');
  return sendForm(url, path, { token, ...fields }, { cookie });
};

/** What the page of the match answers to a search that is posted. */
export const searchMatch = (url: string, cookie: string, fields: Fields): Promise<Answer> =>
  sent(url, cookie, `${PAGE}/search`, fields);

/** The file of what is searched for at the match. */
export const fileOfMatch = (url: string, cookie: string, fields: Fields): Promise<Answer> =>
  sent(url, cookie, '/console/files/reconciliation', { format: 'csv', ...fields });
