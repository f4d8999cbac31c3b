import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

// What deploy/set-up-store.sh asks of curl, for machines that have none. Any other option is refused, as curl does.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean' },
    'max-time': { type: 'string' },
    cacert: { type: 'string' },
    config: { type: 'string' },
    request: { type: 'string', default: 'GET' },
    output: { type: 'string' },
    'write-out': { type: 'string' },
    header: { type: 'string', multiple: true, default: [] },
    'data-binary': { type: 'string' },
  },
});
const login =
  values.config === undefined
    ? null
    : /^user = "((?:[^"\\]|\\.)*)"$/m.exec(readFileSync(values.config, 'utf8'))?.[1]?.replaceAll(/\\(.)/g, '$1');
const headers = new Headers(
  values.header.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]),
);
if (typeof login === 'string') headers.set('Authorization', `Basic ${Buffer.from(login).toString('base64')}`);
const body = values['data-binary'];
try {
  const answer = await fetch(positionals[0] ?? '', {
    method: values.request,
    headers,
    ...(body === undefined ? {} : { body: readFileSync(body.replace(/^@/, '')) }),
    signal: AbortSignal.timeout(Number(values['max-time']) * 1000),
  });
  const text = await answer.text();
  if (values.output === undefined) process.stdout.write(text);
  else writeFileSync(values.output, text);
  if (values['write-out'] === '%{http_code}') process.stdout.write(String(answer.status));
} catch {
  process.exitCode = 7;
}
