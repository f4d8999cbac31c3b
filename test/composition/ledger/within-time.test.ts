import { expect } from 'chai';
import { withinTime } from '../../../src/composition/ledger/within-time.ts';

describe('an answer within time', () => {
  it('is given, and asked for anew each time', async () => {
    let asked = 0;
    const ask = withinTime(() => Promise.resolve((asked += 1)));
    expect([await ask(5_000), await ask(5_000)]).to.deep.equal([1, 2]);
  });

  it('is null where none comes, and the question is not put again before it is answered', async () => {
    const answers: PromiseWithResolvers<string>[] = [];
    const ask = withinTime(() => {
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    });
    expect([await ask(5), await ask(5), await ask(10)]).to.deep.equal([null, null, null]);
    expect(answers).to.have.length(1);
    const late = ask(5_000);
    answers[0]?.resolve('late');
    expect(await late).to.equal('late');
    expect(await ask(5)).to.equal(null);
    expect(answers).to.have.length(2);
  });

  it('fails as it fails', async () => {
    const ask = withinTime(() => Promise.reject(new Error('broken')));
    const outcome = await ask(5_000).catch((error: unknown) => error);
    expect(outcome).to.be.an('error').with.property('message', 'broken');
  });
});
