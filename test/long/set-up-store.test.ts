import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { fillContainerFolder, type Ran } from '../deploy/container-folder.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { storeOverHttp, type StoreOverHttp } from '../deploy/store-over-http.ts';
import { mayDo, type Right } from '../deploy/store-users.ts';

const installed = spawnSync('curl', ['--version']).status === 0;
const OWN_CURL = `'${process.execPath}' '${repositoryPath('test/deploy/curl.ts')}'`;
/** The real one where there is one: it knows best what its options mean. */
const CURL = installed ? spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim() : OWN_CURL;
const SED = spawnSync('sh', ['-c', 'command -v sed'], { encoding: 'utf8' }).stdout.trim();

describe('deploy/set-up-store.sh', () => {
  let folder = '';
  let remove = (): void => undefined;
  let leader: StoreOverHttp;
  let follower: StoreOverHttp;

  /** Programs that the script finds before the usual ones: a curl that notes its arguments, a sleep that takes no time. */
  const program = (name: string, script: string): void => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  const password = (user: string): string => readFileSync(join(folder, `run/secrets/store-${user}-password`), 'utf8');

  const setUp = async (patience = 2, curl = CURL): Promise<Ran> => {
    program('curl', `printf '%s\\n' "$*" >>'${folder}/arguments'\nexec ${curl} "$@"`);
    const child = spawn('sh', [repositoryPath('deploy/set-up-store.sh'), follower.url, leader.url], {
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        SECRETS: join(folder, 'run/secrets'),
        BODIES: repositoryPath('deploy/store'),
        AUTHORITY: join(folder, 'certificates/ca/ca.crt'),
        PATIENCE_SECONDS: String(patience),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, out, err };
  };

  beforeEach(async () => {
    const temporary = temporaryFolder();
    folder = temporary.path;
    remove = temporary.remove;
    fillContainerFolder(folder);
    mkdirSync(join(folder, 'bin'));
    program('sleep', 'exit 0');
    leader = await storeOverHttp('leader');
    follower = await storeOverHttp('follower');
  });
  afterEach(async () => {
    await Promise.all([leader.close(), follower.close()]);
    remove();
  });

  const may = (user: string, right: Right, path = '/streams/%24settings', acl = '$userStreamAcl'): boolean => {
    const data = leader.events.get(path)?.data;
    const rights: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, acl) : undefined;
    const known = leader.users.get(user);
    if (typeof rights !== 'object' || rights === null || known === undefined) return false;
    return mayDo({ ...rights }, right, user, known);
  };

  it('leaves a new store without its known passwords, and with a user that is no administrator', async () => {
    const { status, err } = await setUp();
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    for (const user of ['admin', 'ops', 'ledger'])
      expect(leader.users.get(user)?.password, user).to.equal(password(user));
    expect(leader.users.get('ledger')?.groups).to.deep.equal(['ledgers']);
    expect(leader.users.size).to.equal(3);
  });

  it('lets nobody but administrators delete a stream or write its metadata, and the ledger write', async () => {
    await setUp();
    const rights = (user: string) => (['$r', '$w', '$d', '$mr', '$mw'] as const).filter((right) => may(user, right));
    expect(rights('ledger')).to.deep.equal(['$r', '$w', '$mr']);
    expect(rights('ops')).to.deep.equal([]);
    const everybody = leader.users.get('ops');
    if (everybody !== undefined) leader.users.set('somebody', { ...everybody, groups: [] });
    expect(rights('somebody')).to.deep.equal([]);
    expect(leader.events.get('/streams/%24settings')?.eventType).to.equal('update-default-acl');
  });

  it("lets the ledger read $all, which its projector needs, and of the server's own streams nothing", async () => {
    await setUp();
    expect(leader.events.get('/streams/%24all/metadata')?.eventType).to.equal('$metadata');
    expect(may('ledger', '$r', '/streams/%24all/metadata', '$acl')).to.equal(true);
    expect(may('ops', '$r', '/streams/%24all/metadata', '$acl')).to.equal(false);
    for (const right of ['$r', '$w', '$d', '$mr', '$mw'] as const) {
      expect(may('ledger', right, '/streams/%24settings', '$systemStreamAcl'), right).to.equal(false);
    }
  });

  it('speaks to the leader alone', async () => {
    await setUp();
    expect(follower.asked).to.deep.equal([]);
    expect(leader.asked.length).to.be.greaterThan(10);
  });

  for (const [whose, curl] of [
    ['the one that is installed', CURL],
    ['that of these tests', OWN_CURL],
  ] as const) {
    it(`sets and tries passwords that somebody chose by hand as they are, whatever marks are in them (curl: ${whose})`, async () => {
      const chosen = {
        admin: String.raw`a/b&c\d"e'f|g$h\n`,
        ops: String.raw`"\/\&PASSWORD#:é \\1`,
        ledger: '\\',
      };
      for (const [user, own] of Object.entries(chosen))
        writeFileSync(join(folder, `run/secrets/store-${user}-password`), own);
      const { status, err } = await setUp(2, curl);
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      const set = Object.keys(chosen).map((user) => [user, leader.users.get(user)?.password]);
      expect(Object.fromEntries(set)).to.deep.equal(chosen);
    }).timeout(120_000);
  }

  it('tells no password, neither in what it says nor in arguments, which everybody on the machine sees', async () => {
    program('sed', `printf '%s\\n' "$*" >>'${folder}/arguments'\nexec ${SED} "$@"`);
    const { out, err } = await setUp();
    const said = out + err + readFileSync(join(folder, 'arguments'), 'utf8');
    expect(said).to.contain('the store is set up');
    for (const user of ['admin', 'ops', 'ledger']) expect(said).to.not.contain(password(user));
    expect(said).to.not.contain('changeit');
  });

  it('changes nothing when it is run again', async () => {
    await setUp();
    const before = { users: new Map(leader.users), events: new Map(leader.events) };
    leader.asked.length = 0;
    const { status, out } = await setUp();
    expect(status).to.equal(0);
    expect(out).to.not.match(/is set$|is made/m);
    expect({ users: leader.users, events: leader.events }).to.deep.equal(before);
    expect(leader.asked.filter(({ path }) => path.includes('reset-password') || path === '/users/')).to.deep.equal([]);
  });

  it("sets the ledger's password anew where its file has another one", async () => {
    await setUp();
    writeFileSync(join(folder, 'run/secrets/store-ledger-password'), 'another-password-of-the-ledger');
    expect((await setUp()).status).to.equal(0);
    expect(leader.users.get('ledger')?.password).to.equal('another-password-of-the-ledger');
  });

  it('leaves settings of somebody else alone, and fails where they let the ledger delete', async () => {
    const theirs = {
      eventId: 'theirs',
      eventType: 'update-default-acl',
      data: { $userStreamAcl: { $d: ['ledgers'] } },
    };
    leader.events.set('/streams/%24settings', theirs);
    const { status, err } = await setUp(0);
    expect(status).to.equal(1);
    expect(err).to.match(/^set-up failed: a deletion by the ledger is not refused, but answered 400 /);
    expect(leader.events.get('/streams/%24settings')).to.equal(theirs);
  });

  it('fails where the administrator has a password that nobody told it', async () => {
    leader.users.set('admin', { groups: ['$admins'], password: 'changed by hand' });
    const { status, err } = await setUp(0);
    expect(status).to.equal(1);
    expect(err).to.match(/^set-up failed: the store takes neither the password in secrets\/store-admin-password/);
  });

  it('fails in one line where no node is the leader', async () => {
    const { url, close } = leader;
    await close();
    const { status, err } = await setUp(0);
    expect(status).to.equal(1);
    expect(err).to.equal(`set-up failed: no leader among ${follower.url} ${url} (waited 0 s)\n`);
  });

  it('works with the curl of these tests as with a real one', async () => {
    const { status, err } = await setUp(2, OWN_CURL);
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(leader.users.get('ledger')?.password).to.equal(password('ledger'));
  }).timeout(120_000);
});
