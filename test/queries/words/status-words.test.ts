import { expect } from 'chai';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES, PHASES } from '../../../src/domain/status.ts';
import { ANOMALY_CODES, ANOMALY_WORDS } from '../../../src/queries/words/anomaly-words.ts';
import { statusWords } from '../../../src/queries/words/status-words.ts';
import { repositoryFile } from '../../support/repository-file.ts';

describe('names that the console shows', () => {
  it('are there for every status, each once in its flow, and say of others that they are unknown', () => {
    for (const [flow, statuses] of [
      ['onramp', ON_RAMP_STATUSES],
      ['offramp', OFF_RAMP_STATUSES],
    ] as const) {
      const names = statuses.map((status) => statusWords(flow, status));
      expect(new Set(names).size).to.equal(statuses.length);
      expect(names).to.not.include('Unknown status');
      for (const other of ['onHold', '', '__proto__', 'toString']) {
        expect(statusWords(flow, other), other).to.equal('Unknown status');
      }
    }
  });

  it('are there for every anomaly, each once, in the list that begins with lost money', () => {
    expect(ANOMALY_CODES).to.have.members(Object.keys(ANOMALY_WORDS));
    expect(new Set(Object.values(ANOMALY_WORDS).map(({ name }) => name)).size).to.equal(ANOMALY_CODES.length);
  });

  it('have one colour for each phase, on dots, bars and charts alike', () => {
    const css = repositoryFile('src/console/assets/console.css');
    for (const phase of PHASES) {
      const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, selector = '']) =>
        new RegExp(String.raw`\.(?:part|ink-of)\.${phase}\b|\.badge\.${phase} \.dot`).test(selector),
      );
      expect(
        rules.map(([, , body = '']) => body.trim()),
        phase,
      ).to.deep.equal([`color: var(--${phase}-fill);`]);
    }
  });
});
