import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import type { AppendError } from '../../src/event-store/event-store.ts';
import { inTurn } from '../../src/event-store/in-turn.ts';

const STREAM = branded<StreamName>('match-one');
const AWAY = { _tag: 'StoreUnavailable', detail: 'away' } as const;
const REFUSED = { _tag: 'AppendRefused', detail: 'too large' } as const;

/** Answers one after the other, and how often it was done. */
const answering = (...answers: readonly E.Either<AppendError, string>[]) => {
  const made = { times: 0 };
  const deed: TE.TaskEither<AppendError, string> = () => {
    const answer = answers[Math.min(made.times, answers.length - 1)] ?? E.left(AWAY);
    made.times += 1;
    return Promise.resolve(answer);
  };
  return { made, deed };
};

describe('what is done to a stream in turn', () => {
  it('does not wait for a store that is away once for each, and asks it anew later', async () => {
    const store = {};
    const { made, deed } = answering(E.left(AWAY), E.right('done'));
    const together = await Promise.all([1, 2, 3].map(() => inTurn(store, STREAM, deed)()));
    expect(together).to.deep.equal([1, 2, 3].map(() => E.left(AWAY)));
    expect(made.times).to.equal(1);
    expect(await inTurn(store, STREAM, deed)()).to.deep.equal(E.right('done'));
  });

  it('waits for what is of the same stream of the same store, and for nothing else', async () => {
    const store = {};
    const first = Promise.withResolvers<E.Either<AppendError, string>>();
    const slow = inTurn<AppendError, string>(store, STREAM, () => first.promise)();
    const { made, deed } = answering(E.right('done'));
    const behind = inTurn(store, STREAM, deed)();
    const other = branded<StreamName>('match-other');
    expect(await inTurn(store, other, answering(E.right('other')).deed)()).to.deep.equal(E.right('other'));
    expect(await inTurn({}, STREAM, answering(E.right('else')).deed)()).to.deep.equal(E.right('else'));
    expect(made.times).to.equal(0);
    first.resolve(E.left(REFUSED));
    expect(await slow).to.deep.equal(E.left(REFUSED));
    expect(await behind).to.deep.equal(E.right('done'));
  });

  it('goes on behind what threw', async () => {
    const store = {};
    const thrown = inTurn<AppendError, string>(store, STREAM, () => Promise.reject(new Error('broken')))();
    const behind = inTurn(store, STREAM, answering(E.right('done')).deed)();
    const failure = await thrown.catch((error: unknown) => error);
    expect(failure).to.be.an.instanceOf(Error);
    expect(await behind).to.deep.equal(E.right('done'));
  });
});
