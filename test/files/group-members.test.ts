import { expect } from 'chai';
import { hasOthers, type MachineUsers } from '../../src/files/group-members.ts';

const USERS: MachineUsers = {
  passwd: [
    'root:x:0:0::/root:/bin/sh',
    'ledger:x:1000:1000::/home/ledger:/bin/sh',
    'ledger2:x:1000:1000::/:/bin/sh',
    'bob:x:1001:100::/home/bob:/bin/sh',
    '',
  ].join('\n'),
  group: ['root:x:0:', 'ledger:x:1000:', 'users:x:100:', 'ops:x:200:ledger,root', 'wheel:x:300:ledger2, bob', ''].join(
    '\n',
  ),
  own: [1000, 200, 77],
};

describe('the members of a group', () => {
  for (const [name, gid, isOthers] of [
    ["the user's own", 1000, false],
    ["root's", 0, false],
    ['one that is the first of another user', 100, true],
    ['one whose list has the user and root alone', 200, false],
    ['one whose list has another user', 300, true],
    ["one that is on no list, and is this process's", 77, false],
    ["one that is on no list, and is not this process's", 78, true],
  ] as const) {
    it(`have ${isOthers ? 'others' : 'nobody else'} among them in ${name}`, () => {
      expect(hasOthers(gid, 1000, USERS)).to.equal(isOthers);
    });
  }

  it('are as many as the process knows where a machine keeps no lists', () => {
    const none = { passwd: '', group: '', own: [1000] };
    expect([1000, 1001].map((gid) => hasOthers(gid, 1000, none))).to.deep.equal([false, true]);
  });

  it('may be somebody whom another list than that of users has', () => {
    expect(hasOthers(5, 1000, { ...USERS, group: 'remote:x:5:carol' })).to.equal(true);
  });
});
