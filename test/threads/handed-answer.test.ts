import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { handedAnswer } from '../../src/threads/handed-answer.ts';
import type { NoAnswer } from '../../src/threads/worker-client.ts';

const answerFor = (why: NoAnswer['why']) =>
  handedAnswer(E.left({ _tag: 'NoAnswer', detail: 'gone', why }), () => 'made');

describe('a question that was handed to a thread', () => {
  it('is answered by the receiving thread where it was not asked, and not where the thread died of it', () => {
    const failure = { _tag: 'ReadModelsUnavailable', detail: 'gone' };
    const unavailable = E.left(failure);
    expect(answerFor('not asked')).to.equal(null);
    expect(answerFor('failed')).to.deep.equal(unavailable);
    expect(answerFor('out of memory')).to.deep.equal(unavailable);
    expect(answerFor('not awaited')).to.deep.equal(E.left({ ...failure, isUnawaited: true }));
    expect(handedAnswer(E.right({ _tag: 'NotBuilt' }), () => null)).to.equal(null);
  });
});
