import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import type { AppendError } from '../../src/event-store/event-store.ts';
import { decidedInTurn } from '../../src/queries/decided-in-turn.ts';

const STREAM = branded<StreamName>('match-one');
const AWAY = { _tag: 'StoreUnavailable', detail: 'away' } as const;
const LOST = { _tag: 'WrongExpectedRevision', actual: 'none' } as const;

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

describe('what is decided in turn', () => {
  it('is decided again where another process was faster, and is overloaded where it always is', async () => {
    const { made, deed } = answering(E.left(LOST), E.left(LOST), E.right('done'));
    expect(await decidedInTurn({}, STREAM, deed)()).to.deep.equal(E.right('done'));
    expect(made.times).to.equal(3);
    expect(await decidedInTurn({}, STREAM, answering(E.left(LOST)).deed)()).to.deep.equal(
      E.left({ _tag: 'NotRecorded', failure: { _tag: 'RacesLost', stream: STREAM } }),
    );
  });
});
