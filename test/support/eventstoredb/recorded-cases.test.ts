import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WrongExpectedVersionError, type AppendExpectedRevision } from '@eventstore/db-client';
import { expect } from 'chai';
import * as t from 'io-ts';
import { right } from '../right.ts';
import { doubleWithClient, reconnected, testEvent } from './double-with-client.ts';

const Answer = t.union([
  t.strict({ success: t.literal(true), revision: t.number }),
  t.strict({ error: t.literal('WrongExpectedVersionError'), actual: t.string }),
]);
const Result = t.strict({ answer: Answer, streamAfter: t.array(t.string) });
const Case = t.intersection([
  Result,
  t.strict({
    written: t.union([t.literal('three appends'), t.literal('one append')]),
    append: t.array(t.string),
    otherData: t.boolean,
    expected: t.string,
    afterRestart: Result,
  }),
]);
type Case = t.TypeOf<typeof Case>;
type Answer = t.TypeOf<typeof Answer>;

/** Recorded from a real server (facts of EventStoreDB, "Append and idempotency"). */
const { cases } = right(
  t
    .strict({ cases: t.array(Case) })
    .decode(JSON.parse(readFileSync(new URL('append-cases.json', import.meta.url), 'utf8'))),
);

const WRITTEN = ['e0', 'e1', 'e2'];

const expectedOf = (text: string): AppendExpectedRevision =>
  text === 'any' || text === 'no_stream' || text === 'stream_exists' ? text : BigInt(text);

const titleOf = ({ written, append, otherData, expected }: Case): string =>
  `[${append.join()}]${otherData ? ' with other data' : ''}, expected ${expected}, after ${written}`;

for (const call of ['unary', 'batch'] as const) {
  for (const life of ['in one life', 'across a restart'] as const) {
    describe(`recorded appends: ${call}, ${life}`, () => {
      /** One case's stream, with ids of its own for its events. */
      const scenes = cases.map((recorded) => ({
        recorded,
        stream: `case-${randomUUID()}`,
        ids: new Map<string, string>(['e0', 'e1', 'e2', 'x'].map((name) => [name, randomUUID()])),
      }));
      let opened: Awaited<ReturnType<typeof doubleWithClient>>;

      before(async () => {
        opened = await doubleWithClient();
        for (const { recorded, stream, ids } of scenes) {
          const events = WRITTEN.map((name) => testEvent(ids.get(name), name));
          if (recorded.written === 'one append') await opened.append(stream, 'no_stream', events, { call });
          else for (const event of events) await opened.append(stream, 'any', [event], { call });
        }
        if (life === 'in one life') return;
        await opened.double.restart({ forgetIds: true });
        await reconnected(opened.client);
      });
      after(() => opened.close());

      it('are 57', () => expect(cases).to.have.length(57));

      for (const { recorded, stream, ids } of scenes) {
        it(titleOf(recorded), async () => {
          const events = recorded.append.map((name) =>
            testEvent(ids.get(name), recorded.otherData ? `other ${name}` : name),
          );
          const answer = await opened.append(stream, expectedOf(recorded.expected), events, { call }).then(
            ({ success, nextExpectedRevision }): unknown => ({ success, revision: Number(nextExpectedRevision) }),
            (error: unknown): unknown =>
              error instanceof WrongExpectedVersionError
                ? { error: error.constructor.name, actual: String(error.actualVersion) }
                : error,
          );
          const names = new Map([...ids].map(([name, id]) => [id, name]));
          const logged = opened.double.log.stream(stream)?.events ?? [];
          const due = life === 'in one life' ? recorded : recorded.afterRestart;
          expect({ answer, streamAfter: logged.map(({ id }) => names.get(id)) }).to.deep.equal({
            answer: due.answer,
            streamAfter: due.streamAfter,
          });
          const first = logged.slice(0, WRITTEN.length).map(({ data }) => Buffer.from(data).toString());
          expect(first, 'the data first written').to.deep.equal(WRITTEN);
        });
      }
    });
  }
}
