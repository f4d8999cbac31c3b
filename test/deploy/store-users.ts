import * as t from 'io-ts';

/** A right on a stream, as ACLs name it: read, write, delete, read metadata, write metadata. */
export type Right = '$r' | '$w' | '$d' | '$mr' | '$mw';

/** Who has each right on streams; a right that is not named is everybody's. */
export const Acl = t.record(t.string, t.array(t.string));
export type Acl = t.TypeOf<typeof Acl>;

export type StoreUser = { readonly groups: readonly string[]; readonly password: string };

/** The users of a new store: a password that everybody knows, and roles of the server's own. */
export const newStoreUsers = (): Map<string, StoreUser> =>
  new Map([
    ['admin', { groups: ['$admins'], password: 'changeit' }],
    ['ops', { groups: ['$ops'], password: 'changeit' }],
  ]);

/** Whether an ACL lets a user do something; administrators may do everything. */
export const mayDo = (acl: Acl, right: Right, name: string, { groups }: StoreUser): boolean => {
  const roles = [name, ...groups, '$all'];
  return groups.includes('$admins') || (acl[right] ?? ['$all']).some((role) => roles.includes(role));
};
