const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these claims and a signature that proves nothing. */
export const unsignedToken = (claims: object): string =>
  `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${part('no signature')}`;

/** The claims that docs/spec/provider.md names. */
export const someClaims = (issuedAtSeconds: number): Readonly<Record<string, string | number>> => ({
  sub: '01HZX3J6S5T8Q2W4E6R8T0Y2U4',
  aud: 'client-1',
  iss: 'https://issuer.example',
  iat: issuedAtSeconds,
  exp: issuedAtSeconds + 900,
  jti: '3b241101-e2bb-4255-8caf-4136c566a962',
  tenant_id: 'tenant-1',
});
