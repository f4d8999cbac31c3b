import { expect } from 'chai';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES } from '../../projections/order-state/order.ts';
import { SCOPES } from '../../src/config/scope.ts';
import { PHASES } from '../../src/domain/status.ts';
import { repositoryFile } from '../support/repository-file.ts';

/** The first cells of the tables under a heading, their code alone, in their order. */
const firstCells = (path: string, heading: string): readonly string[] =>
  (
    repositoryFile(path)
      .split(/^## /m)
      .find((part) => part.startsWith(heading)) ?? ''
  )
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));

describe('the guides', () => {
  it('say what to do at each phase, and what each scope is for', () => {
    const phases = firstCells('docs/integrating.md', 'What to do at each phase').filter((code) => code !== 'phase');
    expect(phases).to.have.members([...PHASES]);
    expect(firstCells('docs/integrating.md', 'Keys and scopes')).to.have.members([...SCOPES]);
  });

  it('say of each reason for a 401 what to do', () => {
    const codes = firstCells('docs/integrating.md', 'When deliveries are refused').filter((code) => code !== 'code');
    // docs/spec/receiving.md, Replies.
    expect(codes).to.have.members(['signature-missing', 'signature-malformed', 'signature-mismatch', 'too-old']);
  });

  it('say what each figure of a report means, and each anomaly', () => {
    const figures = firstCells('docs/finance.md', 'The report');
    // docs/spec/http.md, A report.
    const others = ['orders', 'byStatus', 'asked', 'tokens', 'commission', 'tds', 'anomalies'];
    expect(figures).to.have.members([...PHASES, ...others]);
    expect(firstCells('docs/finance.md', 'Anomalies')).to.have.members([...LASTING_ANOMALIES, ...CLOCK_ANOMALIES]);
  });
});
