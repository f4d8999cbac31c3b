import { expect } from 'chai';
import { exchange, type Answer } from '../support/exchange.ts';

/** The session's cookie on a loopback host. */
export const SESSION_COOKIE = 'ramp-ledger-session';

/** The cookies that an answer sets, each with its attributes. */
export const setCookies = ({ headers }: Answer): readonly string[] => headers['set-cookie'] ?? [];

/** `name=value` of a cookie that an answer sets; one that is not set fails the test. */
export const cookieOf = (answer: Answer, name: string): string => {
  const [pair] =
    setCookies(answer)
      .find((text) => text.startsWith(`${name}=`))
      ?.split(';') ?? [];
  expect(pair, `a cookie ${name}, in an answer with ${answer.status}`).to.be.a('string');
  return pair ?? '';
};

/** The value of the first hidden field of a name in a page. */
export const hiddenField = ({ text }: Answer, name: string): string => {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1];
  expect(value, `a hidden field ${name} in ${text.slice(0, 200)}`).to.be.a('string');
  return value ?? '';
};

/** Where the form that signs in is sent, with the page that comes after it. */
export const formAddress = ({ text }: Answer): string => {
  const address = /<form method="post" action="(\/console\/sign-in[^"]*)"/.exec(text)?.[1];
  expect(address, `a form that signs in, in ${text.slice(0, 200)}`).to.be.a('string');
  return address ?? '';
};

/** Sends a form as a browser does that says nothing of where it comes from. */
export const sendForm = (
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return exchange(url, { method: 'POST', path, body, headers: { ...type, ...headers } });
};

/** Tries a key on the form of the page that was asked for. */
export const trySignIn = async (url: string, key: string, path = '/console/orders'): Promise<Answer> => {
  const form = await exchange(url, { path });
  const fields = { token: hiddenField(form, 'token'), key };
  return sendForm(url, formAddress(form), fields, { cookie: cookieOf(form, 'ramp-ledger-sign-in') });
};

/** Signs in, and answers the cookie of the session as `name=value`. */
export const signedInCookie = async (url: string, key: string): Promise<string> =>
  cookieOf(await trySignIn(url, key), SESSION_COOKIE);
