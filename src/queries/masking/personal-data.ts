/**
 * What a caller may see of a payload (docs/spec/http.md, Personal data): all of it (`pii:read`); it masked, with the
 * digests and the signature that prove it (`audit:read`); or, `guarded`, masked and without those, since whoever has a
 * digest of the whole and all but the masked parts can guess these.
 */
export type PersonalData = 'shown' | 'masked' | 'guarded';

/** What the scopes of a key allow. */
export const personalDataFor = (scopes: ReadonlySet<string>): PersonalData => {
  if (scopes.has('pii:read')) return 'shown';
  return scopes.has('audit:read') ? 'masked' : 'guarded';
};
