import { expect } from 'chai';
import { SpoolLanes, type Lane } from '../../src/ledger/spool-lanes.ts';

describe('spool-lanes', () => {
  const lanesOf = (count: number): SpoolLanes => {
    const keys = new Map(Array.from({ length: count }, (_, i) => [`key ${i}`, i]));
    return new SpoolLanes({ keys: () => keys.keys() });
  };
  const begun = (lanes: SpoolLanes): Lane => lanes.next(64, 0) ?? expect.fail('none is left');

  it('tries few at a time that fail alone, and goes on with the others', () => {
    const lanes = lanesOf(20);
    const failing = Array.from({ length: 10 }, () => begun(lanes));
    lanes.storeTook();
    for (const lane of failing) {
      lanes.failed(lane);
      lanes.rested(lane);
    }
    const next = Array.from({ length: 14 }, () => begun(lanes));
    expect(next.slice(0, 4)).to.deep.equal(failing.slice(0, 4));
    expect(next.slice(4).every(({ alone }) => alone === 0)).to.equal(true);
    expect(lanes.next(64, 0)).to.equal(null);
  });

  it('counts the failures of a delivery alone, not those of the one before it', () => {
    const lanes = lanesOf(1);
    const lane = begun(lanes);
    for (let i = 0; i < 3; i += 1) {
      lanes.storeTook();
      lanes.failed(lane);
    }
    expect(lane).to.include({ failures: 3, alone: 3 });
    lanes.failed(lane);
    expect(lane).to.include({ failures: 4, alone: 3 });
    lanes.isThrough(lane);
    lanes.failed(lane);
    expect(lane).to.include({ failures: 1, alone: 0 });
  });
});
