import { expect } from 'chai';
import { addAll } from '../../src/domain/add-all.ts';

describe('addAll', () => {
  it('adds more than a call takes arguments, in their order, behind what is there', () => {
    const list = [-1];
    const items = Array.from({ length: 1_000_000 }, (_, n) => n);
    addAll(list, items);
    expect(list.length).to.equal(items.length + 1);
    expect(list[0]).to.equal(-1);
    expect(list.at(-1)).to.equal(999_999);
    addAll(list, new Set([5]).values());
    expect(list.at(-1)).to.equal(5);
  });
});
