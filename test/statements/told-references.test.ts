import { expect } from 'chai';
import { toldReferences } from '../../src/statements/told-references.ts';

const told = (references: readonly string[], text: string, raw: string): readonly string[] => [
  ...toldReferences({ references, text, raw }),
];

describe('references of a bank line that are told to everybody', () => {
  it('are none of a column of a table that is text too, of however many words', () => {
    for (const payer of ['Asha', 'vikram1986', 'a.rao-7', 'Asha Rao']) {
      expect(told(['R1', payer], `thanks ${payer}`, `01/10/2026,R1,-5.00,${payer},thanks`), payer).to.deep.equal([
        'R1',
      ]);
      expect(
        told([payer], `UPI to ${payer} ${payer}`, `01/10/2026,-5.00,${payer},UPI to ${payer}`),
        payer,
      ).to.deep.equal([]);
      expect(told([payer], payer, `01/10/2026,-5.00,${payer}`), payer).to.deep.equal([]);
    }
  });

  it('are those of a column of their own, also where the text repeats them', () => {
    expect(told(['R1'], 'paid R1', '01/10/2026;R1;"paid R1";-5.00')).to.deep.equal(['R1']);
    expect(told(['R1'], 'paid R10', '01/10/2026,R1,paid R10,-5.00')).to.deep.equal(['R1']);
  });

  it('are those that stand in an element or a place of their own', () => {
    const entry = '<Ntry><EndToEndId>R1</EndToEndId><Ustrd>R1 thanks</Ustrd>';
    expect(told(['R1'], 'R1 thanks', entry)).to.deep.equal(['R1']);
    expect(told(['R1'], 'R1 thanks', '<STMTTRN><FITID>R1<MEMO>R1 thanks')).to.deep.equal(['R1']);
    expect(
      told(['R1'], 'EREF+R1 SVWZ+thanks', ':61:2603020302D1,NTRFNONREF\n:86:166?00A?20EREF+R1?21SVWZ+thanks'),
    ).to.deep.equal(['R1']);
  });
});
