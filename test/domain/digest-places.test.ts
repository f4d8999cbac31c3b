import { expect } from 'chai';
import { DigestPlaces } from '../../src/domain/digest-places.ts';

describe('places of digests', () => {
  const numbers = (from: number, until: number): readonly number[] =>
    Array.from({ length: until - from }, (_, i) => from + i);
  const text = (number: number): string => `text ${number}`;

  it('are handed out once, in the order in which they came', () => {
    const places = new DigestPlaces();
    for (const batch of [numbers(0, 3), numbers(3, 4_000), numbers(4_000, 8_000)]) {
      for (const number of batch) places.add(text(number), number);
      expect(batch.map((number) => places.take(text(number)))).to.deep.equal(batch);
    }
    expect(places.take(text(7_999))).to.equal(null);
  });

  it('are forgotten where they are more than are kept', () => {
    const places = new DigestPlaces();
    for (const number of numbers(0, 5_000)) places.add(text(number), number);
    expect([0, 1, 2].map((number) => places.take(text(number)))).to.deep.equal([null, null, null]);
    for (const number of numbers(0, 5_000)) expect(places.take(text(number))).to.be.oneOf([null, number]);
  });

  it('are let go of where another text is asked for', () => {
    const places = new DigestPlaces();
    for (const number of numbers(0, 3)) places.add(text(number), number);
    expect([1, 0, 1].map((number) => places.take(text(number)))).to.deep.equal([null, null, null]);
    for (const number of numbers(3, 6)) places.add(text(number), number);
    expect(numbers(3, 6).map((number) => places.take(text(number)))).to.deep.equal([3, 4, 5]);
  });
});
