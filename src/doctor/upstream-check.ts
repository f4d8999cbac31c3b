import { well, wrong, type DoctorCheck } from './doctor-check.ts';
import { spanText } from './figures-as-text.ts';

const NAME = 'upstream login';

/** When the provider says that it issued a token, and when that token came, by this machine's clock. */
export type ProviderTime = { readonly issuedAtMs: number; readonly seenAtMs: number };

/** What a login to the provider showed; `host`: the provider's. */
export type UpstreamSeen =
  | { readonly _tag: 'NotConfigured' }
  /** A variable is missing. */
  | { readonly _tag: 'Misconfigured'; readonly variable: string; readonly problem: string; readonly cure: string }
  | { readonly _tag: 'Silent'; readonly host: string; readonly withinMs: number }
  /** What to do about it, where more is known than the address; `variable`: the one that it names, null where none. */
  | {
      readonly _tag: 'Refused';
      readonly host: string;
      readonly happened: string;
      readonly cure: { readonly cure: string; readonly variable: string | null } | null;
    }
  | {
      readonly _tag: 'LoggedIn';
      readonly host: string;
      /** How long the token is still good for. */
      readonly msLeft: number;
      readonly signatureChecked: boolean;
      /** Null where the token does not say when it was issued. */
      readonly time: ProviderTime | null;
    };

/** Whether the provider gives a token, where one is configured; nothing of the token is shown. */
export const upstreamCheck = (seen: UpstreamSeen): DoctorCheck => {
  switch (seen._tag) {
    case 'NotConfigured':
      return well(NAME, 'not configured');
    case 'Misconfigured':
      return wrong(NAME, `${seen.variable}: ${seen.problem}`, `${seen.variable}: ${seen.cure}`);
    case 'Silent':
      return wrong(
        NAME,
        `${seen.host} gave no token within ${seen.withinMs / 1_000} s`,
        'see whether the provider is up, and that UPSTREAM_BASE_URL leads to it',
      );
    case 'Refused': {
      const { cure, variable } = seen.cure ?? { cure: 'check UPSTREAM_BASE_URL', variable: 'UPSTREAM_BASE_URL' };
      const named = variable === null ? `${cure}; UPSTREAM_BASE_URL says where` : cure;
      return wrong(NAME, `${seen.host}: ${seen.happened}`, named);
    }
    case 'LoggedIn':
  }
  const proof = seen.signatureChecked
    ? 'its signature was checked'
    : 'its signature is not checked: UPSTREAM_JWKS_URL is not set';
  return well(NAME, `${seen.host} gave a token that is good for ${spanText(seen.msLeft)}; ${proof}`);
};
