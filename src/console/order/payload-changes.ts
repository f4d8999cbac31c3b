import type { JsonObject } from '../../domain/json.ts';
import { jsonLeaves } from '../../queries/tables/json-leaves.ts';

/** A member that differs between two payloads; null where it is not there. */
export type Change = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** What a payload says otherwise than the one before, member by member, in the order of their paths. */
export const payloadChanges = (before: JsonObject, after: JsonObject): readonly Change[] => {
  const earlier = new Map(jsonLeaves(before));
  const later = new Map(jsonLeaves(after));
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return paths.flatMap((path) => {
    const change = { path, before: earlier.get(path) ?? null, after: later.get(path) ?? null };
    return change.before === change.after ? [] : [change];
  });
};
