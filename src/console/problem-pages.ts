import { randomBytes } from 'node:crypto';
import type { Calendar } from '../domain/business-day.ts';
import { acceptedType } from '../http/accept-headers.ts';
import type { ApiContext, ApiMiddleware } from '../http/api-context.ts';
import { failurePage } from './failure-page.ts';
import { frame } from './frame.ts';
import { pageText } from './html.ts';
import { timesIn } from './local-time.ts';
import { setSecurityHeaders } from './security-headers.ts';

const PROBLEM = 'application/problem+json';

const NONCE_BYTES = 18;

const NEXT_STEPS: Readonly<Partial<Record<string, string>>> = {
  unauthorized: 'This address is for programs, which show an API key with each request. People sign in to the console.',
  forbidden: 'This address is for programs whose API key may ask for this.',
  'not-found': 'Look whether the address is spelled as you meant it.',
  'method-not-allowed': 'This address is for programs.',
};

const LATER = 'Load the page again in a moment.';
const LOOK_FOR_IT = 'If it happens again, tell whoever runs this ledger the request id below.';

/** Whether a person looks at the answer: a browser that opens an address names HTML as what it likes best, programs do not. */
const isForPerson = (ctx: ApiContext): boolean =>
  (ctx.method === 'GET' || ctx.method === 'HEAD') &&
  acceptedType(ctx, [PROBLEM, 'application/json', 'text/html']) === 'text/html';

/** Shows problems to people as pages with a way on (docs/spec/http.md, Errors). Programs get them as JSON. */
export const problemPages =
  ({ timeZone }: Pick<Calendar, 'timeZone'>): ApiMiddleware =>
  async (ctx, next) => {
    await next();
    const { problem, requestId } = ctx.state;
    if (problem === undefined) return;
    ctx.vary('Accept');
    if (!isForPerson(ctx)) return;
    const { status, code, title, detail } = problem;
    const nextStep = NEXT_STEPS[code] ?? (status === 503 || status === 429 ? LATER : LOOK_FOR_IT);
    const page = failurePage({ status, code, title, detail, nextStep }, requestId);
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    setSecurityHeaders(ctx, nonce);
    ctx.body = await pageText(frame(page, { nonce, session: null, times: timesIn(timeZone), after: '' }));
    ctx.type = 'text/html; charset=utf-8';
  };
