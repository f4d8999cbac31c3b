import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';

/** How many more tasks (processes and threads) something lets the process have, and what that is, as operators know it. */
export type TasksLeft = { readonly left: number; readonly limit: string };

/** Where Linux tells of a process, and of the groups that it is held to. */
type Places = { readonly proc: string; readonly groups: string };

const LINUX: Places = { proc: '/proc', groups: '/sys/fs/cgroup' };

/** Only a low limit is worth counting all of a user's tasks. */
const LOW = 1_024;

const MOST_OF_USER = /^Max processes +(\d+) /m;
/** The group in the one tree of groups, or in that of tasks alone, as older systems have it. */
const GROUP = /^(?:0::|\d+:pids:)(\/.*)$/gm;

const textAt = (path: string): string =>
  E.getOrElse(() => '')(E.tryCatch(() => readFileSync(path, 'utf8').trim(), String));

/** The group itself and all that it is in. */
const withThoseAround = (group: string): readonly string[] =>
  group
    .split('/')
    .filter((name) => name !== '')
    .reduceRight<string[]>((found, _, at, names) => [...found, names.slice(0, at + 1).join('/')], [])
    .concat('');

const leftOfGroups = ({ proc, groups }: Places): readonly TasksLeft[] => {
  const own = [...textAt(join(proc, 'self/cgroup')).matchAll(GROUP)].flatMap(([, group = '/']) =>
    withThoseAround(group),
  );
  return own.flatMap((group) =>
    ['', 'pids'].flatMap((tree) => {
      const [most, now] = ['pids.max', 'pids.current'].map((name) => textAt(join(groups, tree, group, name)));
      const left = Number(most) - Number(now);
      return most === undefined || most === '' || Number.isNaN(left)
        ? []
        : [{ left, limit: `pids limit of its control group: ${most}` }];
    }),
  );
};

/** The tasks of a user; a process that ends meanwhile has none. */
const tasksOf = (proc: string, uid: number): number =>
  readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => E.tryCatch(() => statSync(join(proc, pid, 'task')), String))
    // A folder has a link for each folder in it beside its own two.
    .reduce((sum, found) => (E.isRight(found) && found.right.uid === uid ? sum + found.right.nlink - 2 : sum), 0);

const leftOfUser = ({ proc }: Places, uid: number): readonly TasksLeft[] => {
  const [, most] = MOST_OF_USER.exec(textAt(join(proc, 'self/limits'))) ?? [];
  // The system holds nobody with uid 0 to it.
  if (most === undefined || uid === 0 || Number(most) > LOW) return [];
  return [{ left: Number(most) - tasksOf(proc, uid), limit: `ulimit -u of user ${uid}: ${most}` }];
};

/** The closest limit of tasks that is known; null where none is, as on anything but Linux. */
export const tasksLeft = (uid = process.getuid?.() ?? 0, places = LINUX): TasksLeft | null => {
  const found = [...leftOfGroups(places), ...leftOfUser(places, uid)];
  return found.toSorted((a, b) => a.left - b.left)[0] ?? null;
};
