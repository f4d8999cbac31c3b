import { expect } from 'chai';
import * as t from 'io-ts';
import { right } from './right.ts';
import type { ServedApi } from './serve-api.ts';

/** docs/spec/http.md, Lists: what a list answers. */
const ListAnswer = t.strict({ data: t.array(t.UnknownRecord), next: t.union([t.string, t.null]) });

export type ListAnswer = t.TypeOf<typeof ListAnswer>;

/** The text of an answer that was given as asked. */
export const textOf = async (api: ServedApi, path: string, scopes: string): Promise<string> => {
  const response = await api.ask(path, scopes);
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).to.equal(200);
  return text;
};

/** The bytes of an answer that was given as asked: of a workbook, say. */
export const bytesOf = async (api: ServedApi, path: string, scopes: string): Promise<Buffer> => {
  const response = await api.ask(path, scopes);
  expect(response.status, path).to.equal(200);
  return Buffer.from(await response.arrayBuffer());
};

/** A list's answer; anything else fails the test. */
export const listOf = async (api: ServedApi, path: string, scopes: string): Promise<ListAnswer> => {
  const answer: unknown = JSON.parse(await textOf(api, path, scopes));
  expect(answer).to.have.all.keys('data', 'next');
  return right(ListAnswer.decode(answer));
};

/** All pages of a list; `path` has a query already. `between`: what happens after each page. */
export const allOf = async (
  api: ServedApi,
  path: string,
  scopes: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const first = await listOf(api, path, scopes);
  const rows = [...first.data];
  for (let { next } = first; next !== null;) {
    await between();
    const page = await listOf(api, `${path}&cursor=${encodeURIComponent(next)}`, scopes);
    rows.push(...page.data);
    ({ next } = page);
  }
  return rows;
};

/** What an answer refuses: its status and code, and its detail. Anything but a problem in its whole shape fails the test. */
export const refusalOf = async (
  api: ServedApi,
  path: string,
  scopes: string | null,
  init?: RequestInit,
): Promise<{ readonly is: string; readonly detail: string; readonly headers: Headers }> => {
  const response = await api.ask(path, scopes, init);
  const text = await response.text();
  expect(response.headers.get('content-type'), `${path}: ${text}`).to.equal('application/problem+json');
  const Problem = t.type({ type: t.string, title: t.string, status: t.number, detail: t.string, code: t.string });
  const { status, code, detail } = right(Problem.decode(JSON.parse(text)));
  expect(status).to.equal(response.status);
  expect(text).to.include(`"requestId":"${response.headers.get('x-request-id')}"`);
  return { is: `${status} ${code}`, detail, headers: response.headers };
};

/** Each of these values of a parameter is refused by name. */
export const expectRefused = async (
  api: ServedApi,
  scopes: string,
  cases: readonly (readonly [path: string, name: string, values: readonly string[]])[],
): Promise<void> => {
  for (const [path, name, values] of cases) {
    for (const value of values) {
      const { is, detail } = await refusalOf(api, `${path}?${name}=${value}`, scopes);
      expect(is, `${path}?${name}=${value}`).to.equal('400 invalid-parameter');
      expect(detail, `${path}?${name}=${value}`).to.match(new RegExp(`^${name}: `));
    }
  }
};

/** A route that a key with these scopes may ask: nobody else, whatever else is wrong with the question. */
export const expectScopes = async (
  api: ServedApi,
  path: string,
  others: readonly string[],
  init?: RequestInit,
): Promise<void> => {
  for (const key of [null, 'not-a-key']) {
    expect((await refusalOf(api, `${path}?colour=red`, key, init)).is, path).to.equal('401 unauthorized');
  }
  for (const scopes of others) {
    expect((await refusalOf(api, `${path}?colour=red`, scopes, init)).is, path).to.equal('403 forbidden');
  }
};
