import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderId } from '../../domain/ids.ts';
import { orderEvidence } from '../../queries/evidence/order-evidence.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { evidenceReply } from '../../replies/evidence-reply.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import { evidencePath } from '../links.ts';
import { sent } from '../page.ts';
import type { Session } from '../session.ts';

/** The signed bytes are in it (docs/spec/evidence.md). */
const SCOPES = ['audit:read', 'pii:read'];

export const mayHaveEvidence = ({ key }: Session): boolean => SCOPES.every((scope) => key.scopes.has(scope));

/** Where an order's history ends: all of it as one file that proves itself. */
export const evidenceLink = (orderId: OrderId): Html => html`
  <p class="downloads">
    <span class="muted">Download</span>
    <a download href="${evidencePath(orderId)}">Evidence</a>
    <span class="muted"
      >for whoever has to be convinced: it proves this history without this ledger. With personal data.</span
    >
  </p>
`;

const PATH = '/console/orders/{orderId}/evidence';

/** The evidence of an order as a file. */
export const evidenceFile = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: SCOPES,
  answer: ({ path }) =>
    pipe(
      TE.fromEither(readPath(PATH, path)),
      TE.chain(({ orderId }) =>
        pipe(
          orderEvidence(deps, orderId),
          TE.map(({ zip }) => sent(evidenceReply(orderId, zip))),
        ),
      ),
    ),
});
