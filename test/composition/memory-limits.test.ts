import { expect } from 'chai';
import { memoryLimitsIn } from '../../src/composition/memory-limits.ts';

const limits = (
  data: string,
  space: string,
): string => `Limit                     Soft Limit           Hard Limit           Units     
Max data size             ${data.padEnd(20)} unlimited            bytes     
Max stack size            8388608              unlimited            bytes     
Max address space         ${space.padEnd(20)} unlimited            bytes     
`;

describe('memory that a process may set aside', () => {
  it('is what the limits that count now say, and unbounded where there is none, or none is told', () => {
    expect(memoryLimitsIn(limits('2457600000', '12288000000'))).to.deep.equal([
      { kind: 'data', bytes: 2_457_600_000 },
      { kind: 'address space', bytes: 12_288_000_000 },
    ]);
    expect(memoryLimitsIn(limits('unlimited', '1024'))).to.deep.equal([{ kind: 'address space', bytes: 1_024 }]);
    for (const none of [limits('unlimited', 'unlimited'), '']) expect(memoryLimitsIn(none)).to.deep.equal([]);
  });
});
