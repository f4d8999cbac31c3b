import type { ApiKey } from '../access/api-key.ts';
import { keyReader, type Reader } from '../access/reader.ts';
import { epochMsOf } from '../domain/instant.ts';
import type { ApiContext } from '../http/api-context.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import { newNonce } from './console-replies.ts';
import type { Cookies } from './session-cookie.ts';
import { readSession, SESSION_SECONDS, sessionToken, type Session } from './session.ts';

const SECONDS = 1000;

/** Who has signed in, from the sign-in to the sign-out. */
export type SignedIn = {
  /** Of whoever asks; null: nobody who has signed in, or whose session is over or key withdrawn. */
  readonly sessionOf: (ctx: ApiContext) => Session | null;
  /** Who reads in it by a request, for as long as it lasts. */
  readonly readerIn: (session: Session, ctx: ApiContext) => Reader;
  readonly begin: (ctx: ApiContext, key: ApiKey) => void;
  /** Over at once; where that can't be kept, a restart within its eight hours would bring it back. */
  readonly end: (ctx: ApiContext, session: Session) => Promise<void>;
};

/** The sessions of the console's requests, which their cookies hold. */
export const signedIn = (
  { apiKeys, endedSessions, now, log }: Pick<ConsoleDependencies, 'apiKeys' | 'endedSessions' | 'now' | 'log'>,
  cookies: Cookies,
): SignedIn => {
  const nowSeconds = (): number => Math.floor(epochMsOf(now()) / SECONDS);
  return {
    sessionOf: (ctx) => {
      const token = cookies.session(ctx);
      const session = token === null ? null : readSession(token, apiKeys(), nowSeconds());
      if (session === null || endedSessions.has(session)) return null;
      ctx.state.apiKeyId = session.key.id;
      return session;
    },
    readerIn: (session, ctx) => {
      const reader = keyReader(apiKeys, session.key, () => ctx.req.socket.destroyed);
      const isOver = (): boolean => nowSeconds() >= session.expiresAt || endedSessions.has(session);
      return { ...reader, mayRead: () => !isOver() && reader.mayRead() };
    },
    begin: (ctx, key) => {
      ctx.state.apiKeyId = key.id;
      const session = { key, nonce: newNonce(), expiresAt: nowSeconds() + SESSION_SECONDS };
      cookies.setSession(ctx, sessionToken(session), SESSION_SECONDS);
    },
    end: (ctx, session) =>
      endedSessions.end(session, nowSeconds()).catch((error: unknown) => {
        const { requestId } = ctx.state;
        log.error({ requestId, cause: String(error) }, 'a sign-out is not kept, and does not outlast a restart');
      }),
  };
};
