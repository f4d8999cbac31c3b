import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { loadConfig, type Environment } from '../../src/config/index.ts';
import { misspeltVariables } from '../../src/config/misspelt-variables.ts';
import { VARIABLES } from '../../src/config/variables.ts';
import { knownVariables } from '../support/known-variables.ts';
import { right } from '../support/right.ts';

const SECRET = 'main=a-webhook-secret-of-24-bytes';

/** What environments of shells, containers, CI and other programs have. */
const AT_LARGE: readonly string[] = `PATH HOME USER SHELL HOSTNAME HOSTTYPE HOSTS POST PORTS
  TZ LANG PWD TERM NODE_ENV NODE_OPTIONS NO_COLOR CI DEBUG
  XDG_DATA_DIRS XDG_DATA_HOME TMPDIR LOGNAME DATABASE_URL REDIS_URL BASE_URL API_URL APP_KEY
  LOG_FORMAT LOG_FILE SECRET_KEY PGDATA KUBERNETES_SERVICE_HOST KUBERNETES_PORT SANDBOX_WEBHOOK_SECRET CHROMIUM_EXECUTABLE npm_config_user_agent`.split(
  /\s+/,
);

const warned = (env: Environment): readonly string[] =>
  right(loadConfig({ DATA_DIR: '/nowhere/data', ...env }, { generate: false, randomBytes })).warnings;

describe('variables that are misspelt', () => {
  it('are looked for among all that the configuration reads', () => {
    expect([...VARIABLES].toSorted()).to.deep.equal(knownVariables().toSorted());
  });

  it('are named with the one that was meant, without their value', () => {
    const cases: readonly (readonly [name: string, meant: string])[] = [
      ['WEBHOOK_SECRET', 'WEBHOOK_SECRETS'],
      ['WEBHOOK_SECRET_FILE', 'WEBHOOK_SECRETS_FILE'],
      ['BUSINESS_TIMEZONE', 'BUSINESS_TIME_ZONE'],
      ['BUSINESS_TIME_ZONE_FILE', 'BUSINESS_TIME_ZONE'],
      ['BUSINESS_TIMEZONE_FILE', 'BUSINESS_TIME_ZONE'],
      ['API_KEY', 'API_KEYS'],
      ['MATCH_TOLERANCE', 'MATCH_TOLERANCES'],
      ['webhook_secrets', 'WEBHOOK_SECRETS'],
    ];
    for (const [name, meant] of cases) {
      const lines = warned({ [name]: SECRET });
      expect(lines.join('\n'), name).to.match(new RegExp(`^${name} has no effect: .*; ${meant} was probably meant$`));
      expect(lines.join('\n')).to.not.include(SECRET);
    }
    expect(warned({ API_KEY: 'of another program', API_KEYS: 'a:admin=an-api-key-of-24-bytes-or-more' })).to.deep.equal(
      [],
    );
  });

  it('are never those that are known, nor what an environment has at large', () => {
    const all = Object.fromEntries([...AT_LARGE, ...VARIABLES].map((name) => [name, 'x']));
    expect(misspeltVariables(all, VARIABLES)).to.deep.equal([]);
    expect(misspeltVariables(Object.fromEntries(AT_LARGE.map((name) => [name, 'x'])), VARIABLES)).to.deep.equal([]);
  });

  it('are found by one slip in any long name, and never in an environment of known ones or of other words', () => {
    const long = VARIABLES.filter((name) => name.length >= 8);
    const slip = fc
      .tuple(fc.constantFrom(...long), fc.nat(), fc.constantFrom('', 'X', 'S', '_'))
      .map(
        ([name, at, letter]) =>
          [name, `${name.slice(0, at % name.length)}${letter}${name.slice((at % name.length) + 1)}`] as const,
      )
      .filter(([, other]) => !VARIABLES.some((name) => name === other));
    fc.assert(
      fc.property(slip, ([name, other]) => {
        const found = misspeltVariables({ [other]: 'x' }, VARIABLES);
        expect(found.map((one) => one.name)).to.deep.equal([other]);
        // A name may lie between two: one slip from either.
        if (found[0]?.meant !== name) expect(found[0]?.meant).to.be.oneOf([...VARIABLES]);
      }),
    );
    fc.assert(
      fc.property(fc.subarray([...VARIABLES]), (names) => {
        expect(misspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])), VARIABLES)).to.deep.equal([]);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{3,12}(?:_[A-Z]{3,12}){0,3}$/), (name) => {
        const found = misspeltVariables({ [name]: 'x' }, VARIABLES);
        for (const { meant } of found) expect(Math.abs(meant.length - name.length)).to.be.at.most(7);
      }),
    );
  });
});
