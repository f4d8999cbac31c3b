const textOf = (name: string): string => `${name}-api-key-of-at-least-24-bytes`;

const SCOPES = {
  full: [
    'orders:read',
    'reports:read',
    'audit:read',
    'pii:read',
    'quarantine:write',
    'periods:write',
    'statements:write',
    'admin',
  ],
  masked: ['orders:read', 'reports:read', 'audit:read', 'quarantine:write', 'statements:write', 'admin'],
  orders: ['orders:read'],
  reports: ['reports:read'],
  audit: ['audit:read'],
  quarantine: ['quarantine:write'],
  periods: ['periods:write'],
  statements: ['statements:write'],
  personal: ['pii:read'],
  admin: ['admin'],
} as const;

export type KeyName = keyof typeof SCOPES;

/** Somebody who may do everything, one who may do everything but see personal data, and one for each scope alone. */
export const KEY_NAMES: readonly KeyName[] = [
  'full',
  'masked',
  'orders',
  'reports',
  'audit',
  'quarantine',
  'periods',
  'statements',
  'personal',
  'admin',
];

export const scopesOf = (name: KeyName): readonly string[] => SCOPES[name];

/** What one signs in with. */
export const keyText = (name: KeyName): string => textOf(name);

/** As the variable API_KEYS has them. */
export const apiKeys = (names: readonly KeyName[] = KEY_NAMES): string =>
  names.map((name) => `${name}:${SCOPES[name].join('+')}=${textOf(name)}`).join(',');
