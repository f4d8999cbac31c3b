import { expect } from 'chai';
import { openFilesIn } from '../../src/composition/most-open-files.ts';

const limits = (line: string): string => `Limit                     Soft Limit           Hard Limit           Units     
Max processes             63000                63000                processes 
${line}
Max locked memory         8388608              8388608              bytes     
`;

describe('files that may be open', () => {
  it('are the limit that counts now, and of no known number where there is none, or none is told', () => {
    const told = [
      'Max open files            4096                 1048576              files     ',
      'Max open files            unlimited            unlimited            files     ',
      '',
    ];
    expect(told.map((line) => openFilesIn(limits(line)))).to.deep.equal([4_096, null, null]);
  });
});
