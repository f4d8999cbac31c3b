import { expect } from 'chai';
import { ThreadStates } from '../../../src/composition/ledger/thread-states.ts';
import { instantOf } from '../../../src/domain/instant.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 12);

describe('the states of threads', () => {
  const lines: unknown[] = [];
  const say = (level: string) => (fields: unknown, message?: string) => {
    lines.push([level, fields, message]);
  };
  const logger = { error: say('error'), warn: say('warn'), info: say('info') };
  beforeEach(() => {
    lines.length = 0;
  });

  it('have one that answers nothing as one that does not work, since it was asked, until it answers', () => {
    const states = new ThreadStates(logger, () => instantOf(NOW_MS));
    const since = instantOf(NOW_MS - 15_000);
    states.onState('queries', { _tag: 'Silent', seconds: 15 });
    expect(states.down()).to.deep.equal([{ name: 'queries', since, problem: null }]);
    expect(states.working().get('queries')).to.equal(false);
    expect(states.working().get('orders')).to.equal(true);
    states.onState('queries', { _tag: 'Answers', seconds: 40 });
    expect(states.down()).to.deep.equal([]);
    expect(states.working().get('queries')).to.equal(true);
    expect(lines).to.deep.equal([
      [
        'warn',
        { thread: 'queries', since },
        'a thread answers nothing, and what it does stands still: run "ramp-ledger doctor"',
      ],
      ['info', { thread: 'queries', seconds: 40 }, 'a thread answers again'],
    ]);
  });

  it('have one that is over, which answered nothing, as none that anybody waits for, and say no line of it', () => {
    const states = new ThreadStates(logger, () => instantOf(NOW_MS));
    states.onState('build', { _tag: 'Silent', seconds: 120 });
    expect(states.working().get('build')).to.equal(false);
    states.onState('build', { _tag: 'Over' });
    states.onState('build', { _tag: 'Over' });
    expect(states.down()).to.deep.equal([]);
    expect(states.working().get('build')).to.equal(true);
    expect(lines).to.have.lengthOf(1);
  });

  it('say once of what one dies again and again, until it works or dies of something else', () => {
    const states = new ThreadStates(logger, () => instantOf(NOW_MS));
    const die = (problem: string): void => states.onState('projections', { _tag: 'Down', problem });
    for (let n = 0; n < 9; n += 1) die('its file is damaged');
    expect(lines).to.have.lengthOf(1);
    for (let n = 0; n < 9; n += 1) die('its file is a folder');
    expect(lines).to.have.lengthOf(2);
    expect(states.down()).to.have.nested.property('[0].problem', 'its file is a folder');
    states.onState('projections', { _tag: 'Works' });
    die('its file is a folder');
    expect(lines).to.have.lengthOf(4);
  });

  it('have one that died in its silence as down until it works again', () => {
    const states = new ThreadStates(logger, () => instantOf(NOW_MS));
    states.onState('orders', { _tag: 'Silent', seconds: 15 });
    states.onState('orders', { _tag: 'Down', problem: 'it ended' });
    expect(states.down()).to.have.length(1).and.to.have.nested.property('[0].problem', 'it ended');
    states.onState('orders', { _tag: 'Works' });
    expect(states.down()).to.deep.equal([]);
  });
});
