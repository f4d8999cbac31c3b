import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a folder is by itself, under whatever path it is reached; null: it is not there. Throws where it can't be looked at. */
const identityOf = (folder: string): string | null => {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats?.isDirectory() === true ? `${stats.dev}:${stats.ino}` : null;
};

const allAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === path ? [] : [above, ...allAbove(above)];
};

/**
 * The paths of a file by those of some folders that it is in under other paths: a folder that is mounted twice, as into a
 * container, or whose name is written in other letters where the file system does not tell them apart. No path tells that
 * two of them are one folder; its device and number do.
 *
 * @param folders as the machine has them
 * @param identity tells whether two paths are one folder
 */
export const bySameFolders = (
  file: string,
  folders: readonly string[],
  identity: (folder: string) => string | null = identityOf,
): readonly string[] => {
  const known = folders.map((folder) => [folder, identity(folder)] as const);
  return allAbove(file).flatMap((above) => {
    const its = identity(above);
    return known
      .filter(([folder, other]) => its !== null && other === its && folder !== above)
      .map(([folder]) => join(folder, relative(above, file)));
  });
};
