import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig, type Config, type Environment } from '../../src/config/index.ts';
import { SCOPES } from '../../src/config/scope.ts';
import { repositoryFile } from '../support/repository-file.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { composeFile, isLedger, type ComposeService } from './compose-file.ts';
import { fillContainerFolder } from './container-folder.ts';
import { dockerfileEnvironment } from './dockerfile.ts';
import { knownVariables } from '../support/known-variables.ts';

/** The file of ./secrets that a service reads at a path below /run/secrets. */
const secretAt = ({ secrets = [] }: ComposeService, target: string): string | undefined =>
  secrets
    .map((secret) => (typeof secret === 'string' ? { source: secret, target: secret } : secret))
    .find((secret) => secret.target === target)?.source;

describe('the environment of the ledgers in docker-compose.yml', () => {
  const { services } = composeFile();
  const ledgers = Object.entries(services).filter(([, service]) => isLedger(service));
  let folder = '';
  let remove = (): void => undefined;

  beforeEach(() => {
    const temporary = temporaryFolder();
    folder = temporary.path;
    remove = temporary.remove;
    expect(fillContainerFolder(folder).status).to.equal(0);
    for (const name of ['event-store-url', 'event-store-url-cluster']) {
      const path = join(folder, 'run/secrets', name);
      writeFileSync(path, readFileSync(path, 'utf8').replace('/certificates/', `${folder}/certificates/`));
    }
  });
  afterEach(() => remove());

  /** What the image and the service say, its paths being below the folder. */
  const environmentOf = (service: ComposeService): Environment =>
    Object.fromEntries(
      Object.entries({ ...dockerfileEnvironment(), ...service.environment }).map(([variable, value]) => {
        const target = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
        if (target === undefined) return [variable, value.replace(/^\//, `${folder}/`)];
        return [variable, join(folder, 'run/secrets', secretAt(service, target) ?? 'not-mounted')];
      }),
    );
  const configOf = (service: ComposeService): Config =>
    right(loadConfig(environmentOf(service), { generate: true, randomBytes })).config;

  for (const [name, service] of ledgers) {
    it(`${name}: has no variable that the configuration does not know`, () => {
      expect(knownVariables()).to.include.members(Object.keys(environmentOf(service)));
    });

    it(`${name}: is accepted at the start, with nothing generated and nothing to warn of`, () => {
      const loaded = right(loadConfig(environmentOf(service), { generate: true, randomBytes }));
      expect(loaded.warnings).to.deep.equal([]);
      expect(loaded.generatedFiles).to.deep.equal([]);
      const { host, port, dataDir, secrets } = loaded.config;
      expect({ host, port, dataDir }).to.deep.equal({ host: '0.0.0.0', port: 8080, dataDir: join(folder, 'data') });
      expect(secrets.webhook.active.map(({ id }) => id)).to.deep.equal(['main']);
      expect(secrets.apiKeys.map(({ id }) => id)).to.deep.equal(['operator']);
      expect(secrets.apiKeys[0]?.scopes ?? []).to.have.all.keys(...SCOPES);
    });

    it(`${name}: takes any other variable out of a file that need not be there`, () => {
      expect(service.env_file).to.deep.equal([{ path: './secrets/ledger.env', required: false }]);
      expect(repositoryFile('docs/operating.md')).to.include('`secrets/ledger.env`');
    });

    it(`${name}: leads to the nodes of its profile, and to files in its own volume`, () => {
      const { eventStore, readModel } = configOf(service);
      expect(readModel.file).to.equal(join(folder, 'data/read-models.db'));
      if (name === 'ledger-embedded') {
        expect(eventStore).to.deep.equal({ kind: 'sqlite', file: join(folder, 'data/events.db') });
        return;
      }
      const hosts = eventStore.kind === 'eventstoredb' ? (/@([^?]+)\?/.exec(eventStore.url)?.[1] ?? '') : '';
      const nodes = Object.entries(services)
        .filter(([node, { profiles }]) => /^store(-\d)?$/.test(node) && profiles.join() === service.profiles.join())
        .map(([node]) => `${node}:2113`);
      expect(hosts.split(',')).to.have.members(nodes);
    });
  }
});
