import { expect } from 'chai';
import { rowPages } from '../../src/read-models/row-pages.ts';

describe('pages of rows', () => {
  const pagesOf = (numbers: readonly number[]) =>
    rowPages(
      (behind) => numbers.filter((number) => number > behind).slice(0, 2),
      (number) => number,
    );

  it('are all rows, also of numbers below zero', () => {
    expect([...pagesOf([-7, 0, 1, 5, 9])]).to.deep.equal([[-7, 0], [1, 5], [9]]);
    expect([...pagesOf([])]).to.deep.equal([]);
  });

  it('end with an error where rows say numbers that they are not found by', () => {
    const pages = rowPages(
      () => [3],
      (number) => number,
    );
    expect(pages.next().value).to.deep.equal([3]);
    expect(() => pages.next()).to.throw('rows of the read models go back behind 3');
  });
});
