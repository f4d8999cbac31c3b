import { either as E } from 'fp-ts';
import { judged, well, wrong, type DoctorCheck } from '../../cli/doctor-check.ts';
import type { UpstreamVariables } from '../../config/index.ts';
import type { Claims } from '../../tokens/claims.ts';
import { upstreamErrorTold } from '../../tokens/upstream-error.ts';
import type { ProviderTime } from './diagnose-clock.ts';
import { spanText } from './figures-as-text.ts';
import { inTime } from '../../concurrency/in-time.ts';
import { upstreamOf } from '../open-upstream.ts';

const NAME = 'upstream login';

/** What the login showed; `time`: the provider's clock, where its token tells it. */
export type UpstreamSeen = { readonly check: DoctorCheck; readonly time: ProviderTime | null };

const timeOf = ({ iat }: Claims, seenAtMs: number): ProviderTime | null =>
  iat === undefined ? null : { issuedAtMs: iat * 1_000, seenAtMs };

const namesVariable = (cure: string): string =>
  /UPSTREAM_/.test(cure) ? cure : `${cure}; UPSTREAM_BASE_URL says where`;

const seen = (check: DoctorCheck): UpstreamSeen => ({ check, time: null });

/** Logs in to the provider once, where one is configured; nothing of the token is shown. */
export const upstreamSeen = async (
  variables: UpstreamVariables,
  nowMs: () => number,
  withinMs: number,
): Promise<UpstreamSeen> => {
  if (variables.baseUrl === null && variables.loginJson === null) return seen(well(NAME, 'not configured'));
  const opened = upstreamOf(variables);
  if (E.isLeft(opened)) {
    const { variable, problem, cure } = opened.left;
    return seen(wrong(NAME, `${variable}: ${problem}`, `${variable}: ${cure}`));
  }
  const provider = opened.right;
  const at = new URL(variables.baseUrl ?? '').host;
  try {
    const token = await inTime(withinMs, provider.token(), null);
    if (token === null) {
      const cure = 'see whether the provider is up, and that UPSTREAM_BASE_URL leads to it';
      return seen(wrong(NAME, `${at} gave no token within ${withinMs / 1_000} s`, cure));
    }
    if (E.isLeft(token)) {
      const { happened, cure } = upstreamErrorTold(token.left);
      return seen(wrong(NAME, `${at}: ${happened}`, namesVariable(cure ?? 'check UPSTREAM_BASE_URL')));
    }
    const {
      token: { claims, signatureChecked },
      msLeft,
    } = token.right;
    const proof = signatureChecked
      ? 'its signature was checked'
      : 'its signature is not checked: UPSTREAM_JWKS_URL is not set';
    const detail = `${at} gave a token that is good for ${spanText(msLeft)}; ${proof}`;
    return { check: judged(NAME, detail, []), time: timeOf(claims, nowMs()) };
  } finally {
    provider.close();
  }
};
