import { readFileSync } from 'node:fs';

/** The users and groups of a machine, as it keeps them in files, and those of this process. */
export type MachineUsers = {
  /** The text of `/etc/passwd` (passwd(5)). */
  readonly passwd: string;
  /** The text of `/etc/group` (group(5)). */
  readonly group: string;
  /** The groups that this process is in. */
  readonly own: readonly number[];
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A container may have none.
    return '';
  }
};

/** Those of this machine. What a directory service keeps is not among them. */
export const machineUsers = (): MachineUsers => ({
  passwd: textOf('/etc/passwd'),
  group: textOf('/etc/group'),
  own: [process.getgid?.() ?? [], process.getgroups?.() ?? []].flat(),
});

const recordsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(':'));

const ROOT = 0;

/**
 * Whether a group has members other than root and one user: by the list of its members, or since it is somebody's first group. Many
 * machines give each user a group of his own, in which he is alone. A group that is on no list and not this process's may have
 * anybody in it: it came with a disk from another machine, or with a folder of the host's into a container.
 */
export const hasOthers = (gid: number, uid: number, { passwd, group, own }: MachineUsers): boolean => {
  const users = recordsOf(passwd).map(([name = '', , id, first]) => ({ name, uid: Number(id), first: Number(first) }));
  const isOther = (id: number): boolean => id !== ROOT && id !== uid;
  const alike = new Set(users.filter((user) => !isOther(user.uid)).map(({ name }) => name));
  const lists = recordsOf(group).filter(([, , id]) => Number(id) === gid);
  const listed = lists.flatMap(([, , , names = '']) => names.split(',')).filter((name) => name.trim() !== '');
  if (listed.some((name) => !alike.has(name.trim()))) return true;
  const firsts = users.filter(({ first }) => first === gid);
  if (firsts.some((user) => isOther(user.uid))) return true;
  return lists.length === 0 && firsts.length === 0 && !own.includes(gid);
};
