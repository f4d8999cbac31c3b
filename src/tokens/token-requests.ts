import type { UpstreamRequest } from './exchange.ts';

/** Where the provider is, and what its login endpoint takes. */
export type UpstreamAccount = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The body of the login, as it is sent. */
  readonly loginJson: string;
};

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** The headers of every request, beside those of its body and its caller. */
export const OWN_HEADERS = { accept: 'application/json', 'user-agent': 'ramp-ledger' };

export const JSON_BODY = { 'content-type': 'application/json' };

/** docs/spec/provider.md, Login and refresh. */
export const loginRequest = ({ baseUrl, loginJson }: UpstreamAccount): UpstreamRequest => ({
  method: 'POST',
  url: new URL(`${baseUrl}/v1/users/login`),
  headers: { ...OWN_HEADERS, ...JSON_BODY },
  body: loginJson,
});

/** docs/spec/provider.md, Login and refresh: the token may be fresh or expired. */
export const refreshRequest = ({ baseUrl }: UpstreamAccount, token: string): UpstreamRequest => ({
  method: 'GET',
  url: new URL(`${baseUrl}/v1/users/refresh-token`),
  headers: { ...OWN_HEADERS, ...bearer(token) },
  body: null,
});
