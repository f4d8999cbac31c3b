import { randomBytes } from 'node:crypto';
import type { ApiContext } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { sendReply } from '../replies/reply.ts';
import { failurePage } from './failure-page.ts';
import { frame } from './frame.ts';
import { pageText, type Html } from './html.ts';
import type { Times } from './local-time.ts';
import type { Page, PageAnswer, WrittenPage } from './page.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { Session } from './session.ts';
import { shownFailure, type ShownFailure, type StaleForm } from './shown-failure.ts';

const HTML = 'text/html; charset=utf-8';
const NONCE_BYTES = 18;

/** An unguessable text: of a session, of a form, of a page's scripts. */
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

/** What a failure's page keeps of the page that can't be shown. */
type Kept = {
  /** Shown below it: a form that can be mended, or where else to look. */
  readonly below?: Html | null;
  /** What was searched for, which stays in the box. */
  readonly searched?: string;
};

type Document = Extract<WrittenPage, { readonly _tag: 'Document' }>;
type Sent = Extract<PageAnswer, { readonly _tag: 'Sent' }>;

/** How the console answers a request: always with the headers that keep a page to itself. */
export type ConsoleReplies = {
  /** @param after the last event that the page surely includes; empty where it shows none */
  readonly send: (ctx: ApiContext, page: Page, session: Session | null, after?: string) => Promise<void>;
  /** A page that another thread has made for the scripts of this nonce. */
  readonly sendDocument: (ctx: ApiContext, document: Document, scriptNonce: string) => void;
  readonly sendFile: (ctx: ApiContext, sent: Sent) => Promise<void>;
  readonly sendFailure: (
    ctx: ApiContext,
    failure: QueryFailure | StaleForm,
    session: Session,
    kept?: Kept,
  ) => Promise<void>;
  /** On to another page, which is seen with GET. */
  readonly lead: (ctx: ApiContext, location: string) => void;
  /** On to another page, which the browser sends the same form to. */
  readonly sendOn: (ctx: ApiContext, location: string) => void;
};

const leadBy = (ctx: ApiContext, status: 303 | 307, location: string): void => {
  setSecurityHeaders(ctx, newNonce());
  ctx.status = status;
  ctx.set('Location', location);
  ctx.body = '';
};

/** The console's replies; what failed within them goes to `log` with the request's id. */
export const consoleReplies = (log: ApiLog, times: Times): ConsoleReplies => {
  const send: ConsoleReplies['send'] = async (ctx, page, session, after = '') => {
    const nonce = newNonce();
    setSecurityHeaders(ctx, nonce);
    ctx.status = page.status ?? 200;
    ctx.type = HTML;
    ctx.body = await pageText(frame(page, { nonce, session, times, after }));
  };

  const logFailure = (ctx: ApiContext, { code, cause }: ShownFailure): void => {
    if (cause !== null) log.error({ requestId: ctx.state.requestId, code, cause }, 'a page failed');
  };

  return {
    send,
    sendDocument: (ctx, { status, bytes }, scriptNonce) => {
      setSecurityHeaders(ctx, scriptNonce);
      ctx.status = status;
      ctx.type = HTML;
      ctx.body = Buffer.from(bytes.buffer);
    },
    sendFile: async (ctx, { reply }) => {
      const failedMeanwhile = await sendReply(ctx, log, null, reply);
      if (failedMeanwhile !== null) logFailure(ctx, shownFailure(failedMeanwhile));
    },
    sendFailure: (ctx, failure, session, { below = null, searched = '' } = {}) => {
      const shown = shownFailure(failure);
      const { againInSeconds } = shown;
      logFailure(ctx, shown);
      if (againInSeconds !== null) ctx.set('Retry-After', String(againInSeconds));
      return send(ctx, { ...failurePage(shown, ctx.state.requestId, below), searched }, session);
    },
    lead: (ctx, location) => leadBy(ctx, 303, location),
    sendOn: (ctx, location) => leadBy(ctx, 307, location),
  };
};
