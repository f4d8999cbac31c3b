import * as t from 'io-ts';
import { textOrNull } from './values.ts';

/** A page of a list (docs/spec/http.md, Lists). */
export const pageOf = <A extends t.Mixed>(entry: A, name: string) =>
  t.strict(
    { data: t.readonlyArray(entry), next: textOrNull('The `cursor` of the next page; null: this is the last.') },
    name,
  );
