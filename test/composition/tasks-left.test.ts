import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { madePool } from '../../src/composition/made-pool.ts';
import { tasksLeft } from '../../src/composition/tasks-left.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIMITS = 'Max open files            1024                 4096                 files\n';
const USER = process.getuid?.() ?? 0;
/** The system holds no other to such a limit. */
const NOBODY = 65_534;

describe('tasks that a process may still have', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  const left = (uid = 0) => tasksLeft(uid, { proc: join(folder.path, 'proc'), groups: join(folder.path, 'groups') });

  beforeEach(() => {
    folder = temporaryFolder();
    write('proc/self/limits', LIMITS);
  });
  afterEach(() => folder.remove());

  it('are not known where nothing is told, or nothing limits them', () => {
    expect(left()).to.equal(null);
    write('proc/self/cgroup', '0::/\n');
    write('groups/pids.max', 'max\n');
    write('groups/pids.current', '7\n');
    expect(left()).to.equal(null);
  });

  it('are those of the closest control group, of one tree or of another for tasks', () => {
    write('proc/self/cgroup', '8:pids:/a\n4:memory:/m\n0::/a/b\n');
    write('groups/a/pids.max', '20\n');
    write('groups/a/pids.current', '19\n');
    write('groups/a/b/pids.max', '10\n');
    write('groups/a/b/pids.current', '4\n');
    expect(left()).to.deep.equal({ left: 1, limit: 'pids limit of its control group: 20' });
    write('groups/pids/a/pids.max', '8\n');
    write('groups/pids/a/pids.current', '8\n');
    expect(left()).to.deep.equal({ left: 0, limit: 'pids limit of its control group: 8' });
  });

  it('are what those of the user leave, which the system does not hold root to', () => {
    write(
      'proc/self/limits',
      `${LIMITS}Max processes             8                    8                    processes\n`,
    );
    for (const task of ['10/task/10', '10/task/11', '12/task/12', 'sys/task/1']) write(`proc/${task}/comm`, 'x');
    expect(left(0)).to.equal(null);
    expect(left(NOBODY)?.left).to.equal(USER === NOBODY ? 5 : 8);
    if (USER !== 0) expect(left(USER)).to.deep.equal({ left: 5, limit: `ulimit -u of user ${USER}: 8` });
  });

  it('are told in one line where they are too few for what every command needs', () => {
    const refused = madePool({}, { left: 3, limit: 'ulimit -u of user 7: 10' });
    expect(E.isLeft(refused) ? refused.left : null)
      .to.have.property('line')
      .that.matches(/^the machine lets .*TasksMax.*\(ulimit -u of user 7: 10; 3 left, and this needs 4 at once\)$/);
    expect(refused).to.have.nested.property('left.status', 1);
    expect(madePool({ UV_THREADPOOL_SIZE: '2' }, { left: 3, limit: '' })).to.deep.equal(E.right(undefined));
    for (const enough of [null, { left: 4, limit: '' }]) expect(madePool({}, enough)).to.deep.equal(E.right(undefined));
  });
});
