import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { consoleReplies } from '../../src/console/console-replies.ts';
import { EndedSessions } from '../../src/console/ended-sessions.ts';
import { timesIn } from '../../src/console/local-time.ts';
import { consoleCookies } from '../../src/console/session-cookie.ts';
import { addSignInRoutes } from '../../src/console/sign-in-routes.ts';
import { signedIn } from '../../src/console/signed-in.ts';
import type { ApiRouter } from '../../src/http/api-context.ts';
import { httpApplication } from '../../src/http/http-application.ts';
import { Router } from '../../src/http/koa-router.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { KEY, READER } from './readers.ts';

const TOKEN = 'a'.repeat(24);
const AT_ONCE = 16;

describe('forms of people who have not signed in', () => {
  it('are judged one in each turn of the loop, though all of them end in one moment', async () => {
    const turns = loopTurns();
    const judgedIn: number[] = [];
    const deps = routeDependencies({
      apiKeys: () => {
        judgedIn.push(turns.now());
        return [READER];
      },
    });
    const cookies = consoleCookies(() => false);
    const endedSessions = new EndedSessions(null, 0);
    const router: ApiRouter = new Router();
    addSignInRoutes(router, {
      apiKeys: deps.apiKeys,
      settings: { publicUrl: null, isLoopback: () => true },
      cookies,
      replies: consoleReplies(deps.log, timesIn('UTC')),
      sessions: signedIn({ ...deps, endedSessions }, cookies),
    });
    const application = httpApplication([{ router, operations: [] }], {
      hosts: { publicUrl: null, listensOnLoopback: false, isLoopback: () => true },
      newRequestId: deps.newRequestId,
      onRequest: () => undefined,
      onCutOff: () => undefined,
      log: deps.log,
    });
    const body = `token=${TOKEN}&key=${KEY}`;
    const sent = Array.from({ length: AT_ONCE }, () => {
      const request = new IncomingMessage(new Socket());
      request.method = 'POST';
      request.url = '/console/sign-in';
      request.headers = {
        host: 'localhost',
        cookie: `ramp-ledger-sign-in=${TOKEN}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(body.length),
      };
      request.push(body.slice(0, -1));
      const response = new ServerResponse(request);
      const answered = new Promise<number>((resolve) => {
        const end = response.end.bind(response);
        response.end = (...given: never[]) => {
          resolve(response.statusCode);
          return end(...given);
        };
      });
      application(request, response);
      return { request, answered };
    });
    for (const { request } of sent) {
      request.push(body.slice(-1));
      request.push(null);
    }
    const statuses = await Promise.all(sent.map(({ answered }) => answered));
    turns.stop();
    expect(new Set(statuses)).to.deep.equal(new Set([303]));
    expect([judgedIn.length, new Set(judgedIn).size]).to.deep.equal([AT_ONCE, AT_ONCE]);
  });
});
