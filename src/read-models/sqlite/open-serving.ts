import { existsSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { isDamage } from './damage.ts';
import type { Generations } from './generations.ts';
import { unopened } from './unopened.ts';

/** What a connection is used for; it is closed where that comes to nothing. */
export const used = <A>(database: Database.Database, use: (database: Database.Database) => A | null): A | null => {
  let found: A | null = null;
  try {
    found = use(database);
    return found;
  } finally {
    if (found === null) database.close();
  }
};

/** Told that the file of what serves is damaged, and how. */
export type OnDamaged = (generation: number, detail: string) => void;

/** Opens what serves, and does so again where it was replaced, and its file removed, in between; null for what is damaged, which is told. */
export const openServing = <A>(
  generations: Generations,
  open: (file: string, generation: number) => A | null,
  onDamaged: OnDamaged = () => undefined,
): A | null => {
  for (;;) {
    const generation = generations.serving();
    const file = generations.fileOf(generation);
    if (generation === 0 || !existsSync(file)) {
      if (generations.serving() === generation) return null;
      continue;
    }
    try {
      if (statSync(file).isDirectory()) return null;
      return open(file, generation);
    } catch (error) {
      if (generations.serving() !== generation) continue;
      if (!isDamage(error)) throw unopened(error, file);
      onDamaged(generation, `${file} is damaged (${error.message})`);
      return null;
    }
  }
};
