import { Ajv } from 'ajv';
import { expect } from 'chai';
import * as t from 'io-ts';
import { right } from '../support/right.ts';
import { composeDocument, composeFile, isLedger, mountedAt, servicesOf } from './compose-file.ts';
import { repositoryFile } from '../support/repository-file.ts';

const PROFILES = ['laptop', 'cluster', 'embedded'];

const schema = right(t.UnknownRecord.decode(JSON.parse(repositoryFile('test/deploy/compose-spec.json'))));
/** Without the address of its dialect, draft 7, which Ajv knows under another spelling. */
const { $schema: _, ...composeSpecification } = schema;

const isFolderOfTheHost = (volume: string): boolean => /^[./~]/.test(volume);

describe('docker-compose.yml', () => {
  const { services, volumes, secrets } = composeFile();
  const all = Object.entries(services);
  const text = repositoryFile('docker-compose.yml');

  it('is valid by the schema of the Compose Specification, which would refuse a key that is unknown', () => {
    const valid = new Ajv({ strict: false, formats: { duration: true, date: true } }).compile(composeSpecification);
    expect(valid(composeDocument()), JSON.stringify(valid.errors)).to.equal(true);
    expect(valid({ services: { ledger: { image: 'a:1', helthcheck: {} } } })).to.equal(false);
  });

  it('has the profiles that docs/operating.md names, and starts one of them where none is asked for', () => {
    expect(new Set(all.flatMap(([, { profiles }]) => profiles))).to.deep.equal(new Set(PROFILES));
    expect(/^COMPOSE_PROFILES=(.*)$/m.exec(repositoryFile('.env'))?.[1]).to.equal('laptop');
    const named = [...repositoryFile('docs/operating.md').matchAll(/--profile ([a-z]+)/g)].map(
      ([, profile]) => profile,
    );
    expect(new Set([...named, 'laptop'])).to.deep.equal(new Set(PROFILES));
  });

  it('pins each image to a version', () => {
    for (const [name, { image }] of all)
      expect(image, name).to.match(/^[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*(@sha256:\w{64})?$/);
  });

  it("builds the ledger's image under the version of this repository", () => {
    const { version } = right(t.type({ version: t.string }).decode(JSON.parse(repositoryFile('package.json'))));
    const ledgers = all.filter(([, service]) => isLedger(service));
    expect(ledgers.map(([name]) => name)).to.have.members(['ledger', 'ledger-1', 'ledger-2', 'ledger-embedded']);
    for (const [name, { image }] of ledgers) expect(image, name).to.equal(`ramp-ledger:${version}`);
  });

  it('has no password in it: what is secret comes out of files', () => {
    expect(text).to.not.match(/changeit/i);
    for (const [name, { environment = {} }] of all) {
      for (const [variable, value] of Object.entries(environment)) {
        expect(value, `${name}: ${variable}`).to.not.match(/:\/\/[^/\s]*@/);
        if (/PASSWORD|SECRET|KEYS?\b|TOKEN|LOGIN|_URL/.test(variable)) expect(variable, name).to.match(/_FILE$/);
      }
    }
    for (const [name, { file }] of Object.entries(secrets)) expect(file).to.equal(`./secrets/${name}`);
  });

  it('names only secrets and volumes that are declared, and declares none in vain', () => {
    const usedSecrets = all.flatMap(([, service]) =>
      (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source)),
    );
    expect(new Set(usedSecrets)).to.deep.equal(new Set(Object.keys(secrets)));
    const mounts = all.flatMap(([, service]) => service.volumes ?? []);
    const used = mounts.map((mount) => mount.split(':')[0] ?? '').filter((source) => !isFolderOfTheHost(source));
    expect(new Set(used)).to.deep.equal(new Set(Object.keys(volumes)));
  });

  it('keeps data in named volumes, and of the host mounts its own scripts only, for reading', () => {
    const ofTheHost = all.flatMap(([, service]) => (service.volumes ?? []).filter(isFolderOfTheHost));
    expect(new Set(ofTheHost)).to.deep.equal(new Set(['./deploy:/deploy:ro']));
    for (const [name, service] of all) {
      const data = isLedger(service) ? '/data' : service.image.includes('kurrentdb') ? '/var/lib/kurrentdb' : null;
      const isOneShot = service.restart === 'no';
      if (data !== null && !isOneShot) expect(mountedAt(service, data), name).to.equal(`${name}-data`);
    }
  });

  it('gives each service a health check, or ends it: then others wait for its success', () => {
    const awaited = new Map(
      all.flatMap(([, { depends_on: dependencies = {} }]) =>
        Object.entries(dependencies).map(([name, { condition }]) => [name, condition] as const),
      ),
    );
    for (const [name, { healthcheck, restart }] of all) {
      if (restart === 'no') {
        expect(healthcheck, name).to.equal(undefined);
        expect(awaited.get(name), name).to.equal('service_completed_successfully');
      } else {
        expect(healthcheck?.test[0], name).to.equal('CMD');
        expect(awaited.get(name) ?? 'service_healthy', name).to.equal('service_healthy');
      }
    }
  });

  for (const profile of PROFILES) {
    it(`${profile}: waits for services of its own, and publishes ledgers only, on the loopback address`, () => {
      const own = servicesOf(profile);
      const names = own.map(([name]) => name);
      for (const [name, service] of own) {
        expect(names, name).to.include.members(Object.keys(service.depends_on ?? {}));
        for (const port of service.ports ?? []) {
          expect(isLedger(service), name).to.equal(true);
          expect(port, name).to.match(/^\$\{LEDGER_ADDRESS:-127\.0\.0\.1\}:\d+:8080$/);
        }
      }
      const ports = own.flatMap(([, service]) => service.ports ?? []);
      expect(new Set(ports).size).to.equal(ports.length);
    });
  }

  it('gives the two ledgers of the cluster read models, and a spool, of their own', () => {
    const ledgers = servicesOf('cluster').filter(([, service]) => isLedger(service));
    expect(ledgers).to.have.length(2);
    const places = ledgers.map(([, service]) => mountedAt(service, '/data'));
    expect(new Set(places).size).to.equal(2);
    // Read models and spool are in the data directory where nothing else is said.
    for (const [, { environment }] of ledgers) expect(environment).to.not.have.any.keys('READ_MODEL_URL', 'DATA_DIR');
  });

  it('runs every node with certificates, users and the names of the others', () => {
    const nodes = all.filter(([name]) => /^store(-\d)?$/.test(name));
    expect(nodes).to.have.length(4);
    const { command: certified = [] } = services['certificates'] ?? {};
    expect(certified).to.have.members(nodes.map(([name]) => name));
    for (const [name, { environment = {}, restart }] of nodes) {
      // The acceptance of docs/event-store-facts.md, Seen: a former leader stops itself with exit status 0.
      expect(restart, name).to.equal('always');
      expect(Object.keys(environment).filter((variable) => /INSECURE|ANONYMOUS/.test(variable))).to.deep.equal([]);
      expect(environment['KURRENTDB_CERTIFICATE_FILE']).to.equal(`/certificates/${name}/node.crt`);
      expect(environment['KURRENTDB_CERTIFICATE_PRIVATE_KEY_FILE']).to.equal(`/certificates/${name}/node.key`);
      expect(environment['KURRENTDB_NODE_HOST_ADVERTISE_AS']).to.equal(name);
      if (name === 'store') continue;
      const others = ['store-1', 'store-2', 'store-3'].filter((other) => other !== name);
      expect(environment['KURRENTDB_GOSSIP_SEED']).to.equal(others.map((other) => `${other}:2113`).join());
      expect(environment['KURRENTDB_CLUSTER_SIZE']).to.equal('3');
    }
    expect(services['store-set-up']?.command).to.deep.equal(['https://store:2113']);
    expect(services['cluster-set-up']?.command).to.deep.equal([1, 2, 3].map((node) => `https://store-${node}:2113`));
  });
});
