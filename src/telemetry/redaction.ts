const HIDDEN = [
  'authorization',
  'cookie',
  'signature',
  '["x-service-signature"]',
  'secret',
  'key',
  'accessToken',
  'customer',
  'email',
  'phone',
  'body',
];

/** At the top of a line, and one and two objects down, as in `err.body` and `req.headers.authorization`. */
const PARENTS = ['', '*', '*.*'];

const member = (parent: string, name: string): string =>
  parent === '' || name.startsWith('[') ? parent + name : `${parent}.${name}`;

/** For pino's `redact`: a safety net, since nothing logs these on purpose (docs/spec/http.md, Personal data). */
export const REDACTED: string[] = PARENTS.flatMap((parent) => HIDDEN.map((name) => member(parent, name)));
