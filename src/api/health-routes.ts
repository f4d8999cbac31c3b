import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Readiness } from '../event-store/event-store.ts';
import type { ApiLog } from '../http/api-log.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { Operation } from '../openapi/operation.ts';
import { sendAnswer, type Answer } from './answer.ts';

const Alive = t.strict({ status: t.literal('alive') }, 'Alive');
const Ready = t.exact(
  t.intersection([
    t.type({ status: t.literal('ready') }),
    // Where some don't work: what needs them is not answered, or lacks what came since.
    // A page of the file of events is damaged: what needs it is not answered.
    t.partial({ threadsDown: t.array(t.string), eventsDamaged: t.literal(true) }),
  ]),
  'Ready',
);

const answerOf = (
  readiness: Readiness,
  threadsDown: readonly string[],
  eventsDamaged: boolean,
): Answer<t.TypeOf<typeof Ready>> =>
  readiness.ready
    ? TE.right({
        body: {
          status: 'ready',
          ...(threadsDown.length === 0 ? {} : { threadsDown: [...threadsDown] }),
          ...(eventsDamaged ? { eventsDamaged } : {}),
        },
      })
    : TE.left({ _tag: 'NotReady', detail: readiness.detail });

const open = (operation: Pick<Operation, 'id' | 'path' | 'summary' | 'answers' | 'problems'>): Operation => ({
  ...operation,
  method: 'get',
  tag: 'Operating',
  scopes: [],
  parameters: [],
});

/**
 * `/livez`: the process lives. `/readyz`: a delivery could be accepted now (docs/spec/http.md, Health and metrics).
 * Open to everybody.
 */
export const healthRoutes = ({
  readiness,
  threadsDown,
  eventsDamaged,
  log,
}: {
  readonly readiness: () => Readiness;
  readonly threadsDown: () => readonly string[];
  readonly eventsDamaged: () => boolean;
  readonly log: ApiLog;
}): readonly DocumentedRoute[] => [
  {
    operation: open({
      id: 'getLiveness',
      path: '/livez',
      summary: 'Whether the process lives',
      answers: [
        { status: 200, description: 'It does.', headers: {}, contents: [{ type: 'application/json', codec: Alive }] },
      ],
      problems: [],
    }),
    handle: (ctx) => sendAnswer(ctx, log, Alive, TE.right({ body: { status: 'alive' } })),
  },
  {
    operation: open({
      id: 'getReadiness',
      path: '/readyz',
      summary: 'Whether a delivery could be accepted now',
      answers: [
        { status: 200, description: 'It could.', headers: {}, contents: [{ type: 'application/json', codec: Ready }] },
      ],
      problems: ['not-ready'],
    }),
    handle: (ctx) => sendAnswer(ctx, log, Ready, answerOf(readiness(), threadsDown(), eventsDamaged())),
  },
];
