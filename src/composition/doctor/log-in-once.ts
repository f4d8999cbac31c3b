import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../concurrency/in-time.ts';
import type { UpstreamVariables } from '../../config/index.ts';
import type { UpstreamSeen } from '../../doctor/upstream-check.ts';
import { upstreamErrorTold } from '../../tokens/upstream-error.ts';

/** Logs in to the provider once, where one is configured. */
export const logInOnce = async (
  variables: UpstreamVariables,
  nowMs: () => number,
  withinMs: number,
): Promise<UpstreamSeen> => {
  if (variables.baseUrl === null && variables.loginJson === null) return { _tag: 'NotConfigured' };
  const { upstreamOf } = await import('../commands/open-upstream.ts');
  const opened = upstreamOf(variables);
  if (E.isLeft(opened)) {
    const { variable, problem, cure } = opened.left;
    return { _tag: 'Misconfigured', variable, problem, cure };
  }
  const provider = opened.right;
  const { host } = new URL(variables.baseUrl ?? '');
  try {
    const token = await inTime(withinMs, provider.token(), null);
    if (token === null) return { _tag: 'Silent', host, withinMs };
    if (E.isLeft(token)) return { _tag: 'Refused', host, ...upstreamErrorTold(token.left) };
    const { claims, signatureChecked } = token.right.token;
    const time = claims.iat === undefined ? null : { issuedAtMs: claims.iat * 1_000, seenAtMs: nowMs() };
    return { _tag: 'LoggedIn', host, msLeft: token.right.msLeft, signatureChecked, time };
  } finally {
    provider.close();
  }
};
