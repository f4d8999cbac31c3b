import { spawnSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect } from 'chai';

const MODULE = new URL('../../src/threads/lower-priority.ts', import.meta.url).href;
const PROGRAM = `
  import { getPriority, setPriority } from 'node:os';
  import { lowerPriority } from ${JSON.stringify(MODULE)};
  setPriority(Number(process.argv[1]));
  lowerPriority(5);
  process.stdout.write(String(getPriority()));
`;

const after = (priority: number): string => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, String(priority)], {
    encoding: 'utf8',
  });
  return stdout + stderr;
};

describe('the priority of a thread', () => {
  it('is lowered, and never raised', () => {
    // Who runs the tests may have lowered theirs, and must not raise it.
    const own = getPriority();
    const priorities = [own, Math.max(own, 5), Math.max(own, 10)];
    expect(priorities.map(after)).to.deep.equal(priorities.map((priority) => String(Math.max(priority, 5))));
  });
});
