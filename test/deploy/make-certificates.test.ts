import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryPath } from '../support/repository-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Behaves as the tool does that is not to be had here: refuses a folder that is there, says so, and exits with 0. */
const STAND_IN = `#!/bin/sh
command=$1
while [ $# -gt 0 ]; do
  case $1 in
  -out) out=$2 ;;
  -ca-certificate) cat "$2" >/dev/null || exit 1 ;;
  esac
  shift
done
if [ -e "$out" ]; then
  echo "Output directory '$out' already exists" >&2
  exit 0
fi
[ -z "$REFUSES" ] || { echo 'no disk space' >&2; exit 0; }
mkdir -p "$out"
case $command in create-ca) name=ca ;; *) name=node ;; esac
date +%N >"$out/$name.crt"
date +%N >"$out/$name.key"
`;

/** The real one, behind one that a test puts before it. */
const MV = spawnSync('sh', ['-c', 'command -v mv'], { encoding: 'utf8' }).stdout.trim();

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('deploy/make-certificates.sh', () => {
  let folder = temporaryFolder();
  beforeEach(() => {
    folder.remove();
    folder = temporaryFolder();
    // As the volumes of the containers are: there, and empty.
    for (const name of ['bin', 'authority', 'certificates']) mkdirSync(path(name));
    writeFileSync(path('bin', 'es-gencert-cli'), STAND_IN);
    chmodSync(path('bin', 'es-gencert-cli'), 0o755);
  });
  after(() => folder.remove());

  const path = (...names: readonly string[]): string => join(folder.path, ...names);
  const certificate = (node: string): string => readFileSync(path('certificates', node, 'node.crt'), 'utf8');
  const make = (nodes: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync('sh', [repositoryPath('deploy/make-certificates.sh'), ...nodes], {
      encoding: 'utf8',
      env: {
        PATH: `${path('bin')}:${process.env['PATH'] ?? ''}`,
        AUTHORITY: path('authority'),
        CERTIFICATES: path('certificates'),
        NODE_USER: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
        ...env,
      },
    });

  it('makes authority and nodes in folders that are there already, readable for their node only', () => {
    expect(make(['store-1', 'store-2'])).to.include({ status: 0, stderr: '' });
    expect(readFileSync(path('certificates', 'ca', 'ca.crt'))).to.deep.equal(readFileSync(path('authority', 'ca.crt')));
    for (const node of ['store-1', 'store-2']) {
      expect(mode(path('certificates', node))).to.equal('500');
      expect(mode(path('certificates', node, 'node.key'))).to.equal('400');
    }
    expect(existsSync(path('authority', 'draft'))).to.equal(false);
    expect(existsSync(path('certificates', 'store-1', 'draft'))).to.equal(false);
  });

  it('leaves what is there, and makes anew what a run that was cut off left', () => {
    make(['store-1', 'store-2']);
    const before = certificate('store-1');
    chmodSync(path('certificates', 'store-2'), 0o700);
    rmSync(path('certificates', 'store-2', 'node.key'));
    const half = certificate('store-2');
    mkdirSync(path('certificates', 'store-2', 'draft'));
    expect(make(['store-1', 'store-2'])).to.include({ status: 0, stderr: '' });
    expect(certificate('store-1')).to.equal(before);
    expect(certificate('store-2')).to.not.equal(half);
  });

  it('makes no other authority where certificates are signed by the one whose key is gone', () => {
    make(['store-1']);
    const before = certificate('store-1');
    rmSync(path('authority', 'ca.key'));
    const made = make(['store-1', 'store-2']);
    expect(made.status).to.equal(1);
    expect(made.stderr).to.match(
      /^make-certificates\.sh: ca\.crt or ca\.key is gone .* certificate of store-1 .*put both back.*\n$/,
    );
    expect(certificate('store-1')).to.equal(before);
    expect(existsSync(path('authority', 'ca.key'))).to.equal(false);
    rmSync(path('certificates', 'store-1'), { recursive: true });
    expect(make(['store-1'])).to.include({ status: 0, stderr: '' });
  });

  it('takes no key for that of a certificate that was there before, wherever it is cut off', () => {
    make(['store-1']);
    chmodSync(path('certificates', 'store-1'), 0o700);
    rmSync(path('certificates', 'store-1', 'node.key'));
    // Cut off between the two.
    writeFileSync(
      path('bin', 'mv'),
      `#!/bin/sh\ncase "$*" in *node.crt*) kill -KILL $PPID; sleep 1; exit 1 ;; esac\nexec ${MV} "$@"\n`,
    );
    chmodSync(path('bin', 'mv'), 0o755);
    expect(make(['store-1']).signal).to.equal('SIGKILL');
    expect(existsSync(path('certificates', 'store-1', 'node.key'))).to.equal(true);
    expect(existsSync(path('certificates', 'store-1', 'node.crt')), 'the former one').to.equal(false);
    rmSync(path('bin', 'mv'));
    expect(make(['store-1'])).to.include({ status: 0, stderr: '' });
    expect(readFileSync(path('certificates', 'store-1', 'node.key'), 'utf8')).to.not.equal('');
    expect(existsSync(path('certificates', 'store-1', 'draft'))).to.equal(false);
  });

  it('fails where the tool made nothing, whatever its exit status says', () => {
    const made = make(['store-1'], { REFUSES: 'yes' });
    expect(made.status).to.equal(1);
    expect(made.stderr).to.match(/no disk space\n.*es-gencert-cli create-ca made no ca\.crt/);
    expect(existsSync(path('certificates', 'ca'))).to.equal(false);
  });
});
