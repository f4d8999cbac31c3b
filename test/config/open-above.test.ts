import { chmodSync, lstatSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { onlooker, openAbove, openAboveData, type Onlooker } from '../../src/config/open-above.ts';
import { openSecretWarnings } from '../../src/config/open-secret-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LEDGER = 1000;
const BOB = 1001;
const ALONE = 1000;
const SHARED = 200;

type Seen = { readonly uid?: number; readonly gid?: number; readonly mode?: number };

describe('folders above the data directory, and above files that variables name', () => {
  const folder = temporaryFolder();
  const at = realpathSync(folder.path);
  const above = join(at, 'above');
  const data = join(above, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  after(() => folder.remove());

  /** All is root's, in a group of its own, but what is said otherwise. */
  const seeing = (seen: Readonly<Record<string, Seen>>, uid = LEDGER): Onlooker => ({
    uid,
    look: (path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats === undefined ? null : { uid: 0, gid: 0, mode: 0o755, ...seen[path] };
    },
    users: () => ({ passwd: `ledger:x:${LEDGER}:${ALONE}\n`, group: `shared:x:${SHARED}:ledger,bob\n`, own: [ALONE] }),
  });
  const found = (seen: Readonly<Record<string, Seen>>, uid = LEDGER, path = data): string =>
    openAbove(path, 'the data directory', seeing(seen, uid))?.detail ?? 'none';

  it("are no harm where they are root's or the ledger's, in a group that it has for itself, or shared by root", () => {
    expect(found({})).to.equal('none');
    expect(found({ [above]: { uid: LEDGER, gid: ALONE, mode: 0o775 } })).to.equal('none');
    expect(found({ [above]: { mode: 0o1777 }, [data]: { uid: LEDGER } })).to.equal('none');
    expect(found({ [above]: { uid: LEDGER, gid: SHARED, mode: 0o755 } })).to.equal('none');
    expect(openAbove(data, 'it', { ...seeing({ [above]: { uid: BOB } }), uid: null })).to.equal(null);
  });

  it("are named where they are somebody else's, also where they are sticky, and for root", () => {
    const words = `${above}, where the data directory is, belongs to another user (uid ${BOB}), who may exchange what is in it`;
    for (const uid of [LEDGER, 0])
      for (const mode of [0o755, 0o1777]) expect(found({ [above]: { uid: BOB, mode } }, uid)).to.equal(words);
    expect(found({ [at]: { uid: BOB } })).to.equal(
      `${at}, where the data directory is, belongs to another user (uid ${BOB}), who may exchange what is in it`,
    );
  });

  it('are named where a group may write in which there are others', () => {
    expect(found({ [above]: { uid: LEDGER, gid: SHARED, mode: 0o775 } })).to.equal(
      `others in its group (gid ${SHARED}) may exchange what is in ${above}, where the data directory is`,
    );
    expect(found({ [above]: { gid: SHARED, mode: 0o1775 } })).to.equal('none');
  });

  it('are named where a link between leads through one, and where that link itself is somebody else’s', () => {
    const [between, link] = [join(at, 'between'), join(at, 'link')];
    mkdirSync(between);
    symlinkSync(join(between, 'next'), link);
    symlinkSync(data, join(between, 'next'));
    expect(found({}, LEDGER, link)).to.equal('none');
    expect(found({ [between]: { mode: 0o777 } }, LEDGER, link)).to.include(between);
    expect(found({ [at]: { mode: 0o1777 }, [link]: { uid: BOB } }, LEDGER, link)).to.equal(
      `${link}, by which the data directory is reached, belongs to another user (uid ${BOB}), who may exchange it`,
    );
  });

  it('are told of above a secret’s file and above the certificates of the event store, without a path', () => {
    const file = join(above, 'file');
    writeFileSync(file, 'esdb://u:p@h?userCertFile=x', { mode: 0o600 });
    const url = `esdb://u:p@h?tlsCAFile=${file}`;
    const told = (env: Record<string, string>, seen: Seen): readonly string[] =>
      openSecretWarnings(env, data, seeing({ [above]: seen }));
    for (const [env, begins] of [
      [{ WEBHOOK_SECRETS_FILE: file }, /^WEBHOOK_SECRETS_FILE: (?!.*\/).*its file, since/],
      [{ EVENT_STORE_URL: url }, /^EVENT_STORE_URL: (?!.*\/).*the file of its tlsCAFile, since/],
    ] as const) {
      expect(told(env, {})).to.deep.equal([]);
      for (const [seen, words] of [
        [{ uid: BOB }, `another user (uid ${BOB})`],
        [{ gid: SHARED, mode: 0o775 }, `others in a group (gid ${SHARED})`],
        [{ mode: 0o777 }, 'everybody on this machine'],
      ] as const) {
        const lines = told(env, seen);
        expect(lines).to.have.length(1);
        expect(lines[0]).to.match(begins).and.to.include(words);
      }
      chmodSync(file, 0o666);
      expect(told(env, {})).to.have.length(1);
      expect(told(env, {})[0]).to.include('can be written to by others on this machine');
      chmodSync(file, 0o600);
    }
  });

  it('are looked at as this process sees them', () => {
    chmodSync(above, 0o777);
    expect(openAbove(data, 'it', onlooker())?.path).to.equal(above);
    chmodSync(above, 0o755);
    expect(onlooker().look(join(at, 'nothing'))).to.equal(null);
  });

  it('are named where links of the data directory lead into one, each once', () => {
    const [open, own] = [join(at, 'open'), join(at, 'own')];
    for (const path of [open, own]) mkdirSync(path);
    for (const [name, target] of [
      ['events.db', open],
      ['webhook-secret', open],
      ['spool.db', own],
      ['photo', open],
    ] as const) {
      writeFileSync(join(target, name), '');
      symlinkSync(join(target, name), join(data, name));
    }
    const by = seeing({ [open]: { mode: 0o777 } });
    expect(openAboveData(data, by).map(({ detail }) => detail)).to.deep.equal([
      `everybody on this machine may exchange what is in ${open}, where what ${join(data, 'events.db')} leads to is`,
    ]);
    const both = seeing({ [open]: { mode: 0o777 }, [above]: { mode: 0o777 } });
    expect(openAboveData(data, both).map(({ path }) => path)).to.deep.equal([above, open]);
    expect(openAboveData(join(at, 'nowhere'), by)).to.deep.equal([]);
  });
});
