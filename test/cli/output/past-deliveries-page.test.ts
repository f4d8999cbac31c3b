import { expect } from 'chai';
import { pastDeliveriesPage } from '../../../src/cli/output/past-deliveries-page.ts';

const NONE = { recorded: 2, duplicates: 0, conflicts: 0, quarantined: 0, refused: [] };

describe('what is printed of an import of past deliveries', () => {
  it('says of each code once what helps, also where its lines are too many to be named', () => {
    expect(pastDeliveriesPage(NONE)).to.equal('2 recorded, 0 duplicates, 0 conflicts, 0 quarantined, 0 refused\n');
    const refused = Array.from({ length: 21 }, (_, i) => ({
      line: i + 1,
      code: i < 20 ? 'line-unreadable' : 'too-old',
    }));
    const lines = pastDeliveriesPage({ ...NONE, refused })
      .trimEnd()
      .split('\n');
    expect(lines).to.have.length(1 + 20 + 1 + 2);
    expect(lines.slice(20, 22)).to.deep.equal(['line 20: line-unreadable', 'and 1 more; --json names them']);
    expect(lines[22]).to.match(/^line-unreadable: .*\{body or bodyBase64, signature, receivedAt\}/);
    expect(lines[23]).to.match(/^too-old: .*WEBHOOK_MAX_AGE_SECONDS/);
  });
});
