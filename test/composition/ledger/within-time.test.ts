import { expect } from 'chai';
import { withinTime } from '../../../src/composition/ledger/within-time.ts';

describe('an answer within time', () => {
  it('is given, and asked for anew each time', async () => {
    let asked = 0;
    const ask = withinTime(5_000, () => Promise.resolve((asked += 1)));
    expect([await ask(), await ask()]).to.deep.equal([1, 2]);
  });

  it('is null where none comes, and the question is not put again before it is answered', async () => {
    const answers: PromiseWithResolvers<string>[] = [];
    const ask = withinTime(5, () => {
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    });
    expect([await ask(), await ask(), await ask()]).to.deep.equal([null, null, null]);
    expect(answers).to.have.length(1);
    const late = ask();
    answers[0]?.resolve('late');
    expect(await late).to.equal('late');
    expect(await ask()).to.equal(null);
    expect(answers).to.have.length(2);
  });

  it('fails as it fails', async () => {
    const ask = withinTime(5_000, () => Promise.reject(new Error('broken')));
    const outcome = await ask().catch((error: unknown) => error);
    expect(outcome).to.be.an('error').with.property('message', 'broken');
  });
});
