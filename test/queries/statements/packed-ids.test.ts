import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { LineId } from '../../../src/domain/statement-line.ts';
import { PackedIds } from '../../../src/queries/statements/packed-ids.ts';

describe('ids of lines in few bytes', () => {
  it('are those that came, whole and in parts', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(70), fc.nat(70), (many, from, to) => {
        const ids = Array.from({ length: many }, (_, at) => branded<LineId>(sha256(`line ${at}`)));
        const packed = new PackedIds(many);
        for (const id of ids) packed.push(id);
        expect([...packed]).to.deep.equal(ids);
        expect(packed.slice(from, to)).to.deep.equal(ids.slice(from, to));
        expect(packed.length).to.equal(many);
      }),
    );
  });
});
