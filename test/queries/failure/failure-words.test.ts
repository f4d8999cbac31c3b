import { expect } from 'chai';
import fc from 'fast-check';
import { problemOf } from '../../../src/api/problem-of.ts';
import { commandFailure } from '../../../src/cli/command-failure.ts';
import { problemKind } from '../../../src/openapi/problem-codes.ts';
import { shownFailure } from '../../../src/console/shown-failure.ts';
import { failureWords } from '../../../src/queries/failure/failure-words.ts';
import { foreign, illFormed } from '../../../src/queries/failure/query-failure.ts';
import { failures } from './failures.ts';

const bothName =
  (name: string) =>
  (details: readonly string[]): boolean =>
    details.every((detail) => detail.includes(name));

describe('a failure', () => {
  it('has one code and one sentence for programs and for people, and the same names where the sentence is not one', () => {
    fc.assert(
      fc.property(failures, (failure) => {
        const { code, detail, cause, againInSeconds } = failureWords(failure);
        const problem = problemOf(failure);
        const shown = shownFailure(failure);
        expect(problem).to.include({ code: problemKind(code).shownAs ?? code, detail, status: shown.status });
        expect(shown).to.include({ code, cause });
        // The form at the console has ticks with words beside them, where programs name codes.
        if (failure._tag === 'PeriodNotReady')
          for (const name of failure.checks) expect([shown.detail, detail]).to.satisfy(bothName(name));
        else expect(shown.detail).to.equal(detail);
        expect(problem.cause ?? null).to.equal(cause);
        expect(problem.retryAfterSeconds ?? null).to.equal(shown.againInSeconds);
        if (againInSeconds !== null) expect(shown.againInSeconds).to.equal(againInSeconds).and.to.be.greaterThan(0);
      }),
    );
  });

  it('is the same after it has crossed to another thread', () => {
    fc.assert(
      fc.property(failures, (failure) => {
        const crossed = structuredClone(failure);
        expect(failureWords(crossed)).to.deep.equal(failureWords(failure));
        expect(commandFailure(crossed)).to.deep.equal(commandFailure(failure));
      }),
    );
  });

  it('is nothing for operators where whoever asked has hung up, and is where read models fail', () => {
    const failure = { _tag: 'ReadModelsUnavailable', detail: 'why' } as const;
    expect(failureWords({ ...failure, isUnawaited: true }).cause).to.equal(null);
    expect(failureWords(failure).cause).to.equal('why');
  });

  it('is wrong usage of a command exactly where what was asked is to be changed', () => {
    fc.assert(
      fc.property(failures, (failure) => {
        const { code } = failureWords(failure);
        expect(commandFailure(failure).status).to.equal(code === 'invalid-parameter' || code === 'forbidden' ? 2 : 1);
      }),
    );
  });

  it('over a parameter names the option of a command line, whatever is said about it', () => {
    expect(commandFailure(illFormed('groupBy', 'limit: a word: any'))).to.deep.equal({
      status: 2,
      line: '--group-by: expected limit: a word: any',
    });
    expect(commandFailure(foreign('cursor', 'list')).line).to.equal('--cursor: is none that this list has given');
    expect(problemOf(illFormed('groupBy', 'a word', ['day', 'month'])).detail).to.equal(
      'groupBy: expected a word (did you mean day, month?)',
    );
  });

  it('never repeats a page of text that came as the name of a parameter', () => {
    const { detail } = problemOf(illFormed(`${'x'.repeat(63)}\ud83d\ude00`, 'a word'));
    expect(detail).to.equal(`${'x'.repeat(63)}\ufffd: expected a word`);
  });
});
