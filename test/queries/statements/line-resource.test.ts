import { expect } from 'chai';
import { lineResource } from '../../../src/queries/statements/statement-resources.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { day, debit } from '../../projections/match/match-scene.ts';

const lineWith = (own: { readonly ownReferences?: readonly string[] }) => ({
  ...debit('l', { references: ['E-1', 'x@example.com'], ...own }),
  statementId: sha256('file'),
  index: 0,
  valueOn: day('2026-03-10'),
  raw: 'as it came',
});

describe('a bank line as it is shown', () => {
  it("tells which references are the bank's own, as far as the file said so, and masks them like the others", () => {
    const line = lineWith({ ownReferences: ['x@example.com'] });
    expect(lineResource(line, 'shown').ownReferences).to.deep.equal(['x@example.com']);
    const masked = lineResource(line, 'masked');
    expect(masked.ownReferences).to.deep.equal(masked.references.slice(1));
    expect(masked.ownReferences).not.to.include('x@example.com');
    expect(lineResource(lineWith({}), 'shown').ownReferences).to.deep.equal([]);
  });
});
