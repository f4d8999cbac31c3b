import { expect } from 'chai';
import * as t from 'io-ts';
import { right } from './right.ts';
import type { Answer } from './exchange.ts';

/** docs/spec/receiving.md, Replies: what a durable delivery is answered with. */
const DeliveryAnswer = t.strict({
  outcome: t.union([t.literal('recorded'), t.literal('duplicate'), t.literal('conflict'), t.literal('quarantined')]),
  orderId: t.union([t.string, t.null]),
  eventId: t.string,
  stream: t.string,
  revision: t.Int,
  position: t.string,
});

export type DeliveryAnswer = t.TypeOf<typeof DeliveryAnswer>;

/** docs/spec/http.md, Errors: `application/problem+json`. */
const ProblemAnswer = t.strict({
  type: t.string,
  title: t.string,
  status: t.number,
  detail: t.string,
  code: t.string,
  requestId: t.string,
});

export type ProblemAnswer = t.TypeOf<typeof ProblemAnswer>;

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** The answer to a delivery that was accepted; anything else fails the test. */
export const accepted = (answer: Answer): DeliveryAnswer => {
  expect(answer.status, answer.text).to.equal(200);
  expect(answer.headers['content-type']).to.match(/^application\/json\b/);
  expect(answer.headers['x-request-id']).to.match(REQUEST_ID);
  return right(DeliveryAnswer.decode(JSON.parse(answer.text)));
};

/** The problem that a request was answered with, in its whole shape; anything else fails the test. */
export const refused = (answer: Answer, status: number, code: string): ProblemAnswer => {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers['content-type']).to.match(/^application\/problem\+json\b/);
  const problem = right(ProblemAnswer.decode(JSON.parse(answer.text)));
  expect(problem).to.include({ status, code, requestId: answer.headers['x-request-id'] });
  expect(problem.requestId).to.match(REQUEST_ID);
  for (const text of [problem.type, problem.title, problem.detail]) expect(text).to.not.equal('');
  return problem;
};
