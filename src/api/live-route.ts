import type { DocumentedRoute } from '../http/documented-router.ts';
import { HEARTBEAT_MS, LAST_EVENT_ID, liveReply } from '../replies/live-reply.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route } from './route.ts';

/** Events of order streams as they are appended (docs/spec/http.md, Live events). */
export const liveRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'followEvents',
    method: 'get',
    path: '/v1/events/live',
    tag: 'Orders',
    summary: 'Events of orders as they are appended',
    description: `Server-sent events: \`id\` is the position, \`event\` the type, \`data\` the event as \`listOrderEvents\` gives it, personal data
masked. It goes on behind \`${LAST_EVENT_ID}\`, and starts now without it. A comment comes where nothing else does for ${HEARTBEAT_MS / 1000} seconds.`,
    scopes: ['orders:read'],
    parameters: {},
    headers: [
      {
        name: LAST_EVENT_ID,
        in: 'header',
        description: 'The `id` of the last event that was got.',
        schema: { type: 'string' },
        required: false,
      },
    ],
    answers: {
      description: 'Events without end, until the ledger stops.',
      resource: null,
      others: [{ type: 'text/event-stream', schema: { type: 'string' } }],
      headers: {
        'X-Accel-Buffering': { description: 'Tells proxies to pass each event on at once.', schema: { const: 'no' } },
      },
    },
    problems: ['store-unavailable'],
    answer: ({ header, personal, reader }) => liveReply(deps, { lastEventId: header(LAST_EVENT_ID), personal, reader }),
  });
