import { expect } from 'chai';
import { wait } from '../../src/concurrency/wait.ts';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import type { AppendError } from '../../src/event-store/event-store.ts';
import { inTurn } from '../../src/concurrency/in-turn.ts';

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

describe('what is done to one thing in turn', () => {
  it('goes on without one who has no answer, and asks no more of those behind than that', async () => {
    const store = {};
    const never = Promise.withResolvers<E.Either<AppendError, string>>();
    const stuck = inTurn(store, STREAM, () => never.promise)();
    const { made, deed } = answering(E.right('first'), E.right('second'));
    const behind = await Promise.all([1, 2].map(() => inTurn(store, STREAM, deed)()));
    expect(behind).to.deep.equal([E.right('first'), E.right('second')]);
    expect(made.times).to.equal(2);
    never.resolve(E.left(AWAY));
    expect(await stuck).to.deep.equal(E.left(AWAY));
  });

  it('lets each of many have its turn alone, however long that takes together', async () => {
    const store = {};
    let [underWay, most] = [0, 0];
    const slow = async (): Promise<void> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await wait(20);
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 30 }, () => inTurn(store, STREAM, slow)()));
    expect(most).to.equal(1);
  });

  it('waits for what is of the same stream of the same store, and for nothing else', async () => {
    const store = {};
    const first = Promise.withResolvers<E.Either<AppendError, string>>();
    const slow = inTurn<E.Either<AppendError, string>>(store, STREAM, () => first.promise)();
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
    const thrown = inTurn<E.Either<AppendError, string>>(store, STREAM, () => Promise.reject(new Error('broken')))();
    const behind = inTurn(store, STREAM, answering(E.right('done')).deed)();
    const failure = await thrown.catch((error: unknown) => error);
    expect(failure).to.be.an.instanceOf(Error);
    expect(await behind).to.deep.equal(E.right('done'));
  });
});
