import { writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { expect } from 'chai';
import { fingerprintNow, type FileLooks } from '../../src/config/watched-file.ts';
import { keyEntry, noticeOf, secretEntry, WatchedSecrets } from '../support/watched-secrets.ts';

/** As those of the system, but over in the turn in which they begin. */
const atOnce: FileLooks = {
  fingerprint: (at) => Promise.resolve(fingerprintNow(at)),
  reach: () => Promise.resolve(),
};

/** Lets so much time pass by the clock that is mocked, and whatever is asked then come to its end. */
const pass = async (ms: number): Promise<void> => {
  mock.timers.tick(ms);
  await new Promise(setImmediate);
};

describe('looks at the files of secrets', () => {
  let scene = new WatchedSecrets();
  beforeEach(() => {
    scene.end();
    scene = new WatchedSecrets();
  });
  after(() => scene.end());

  it('takes nothing back while a file is being written anew', async () => {
    scene.replace('secrets', secretEntry('old'));
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') }, 5, atOnce);
      const look = (): Promise<void> => pass(5);
      writeFileSync(scene.path('secrets'), '');
      await look();
      writeFileSync(scene.path('secrets'), secretEntry('new'));
      await look();
      expect(scene.notices).to.deep.equal([]);
      await look();
      expect(scene.notices).to.deep.equal([noticeOf(['new'])]);
      await look();
      expect(scene.notices).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });

  it('waits for a file that is being written also when it is told to read, and then reads without a change', async () => {
    scene.replace('secrets', secretEntry('old'));
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') }, 500, atOnce);
      const toldToRead = async (): Promise<void> => {
        for (let times = 0; times < 3; times += 1) {
          process.emit('SIGHUP', 'SIGHUP');
          await pass(0);
        }
      };
      writeFileSync(scene.path('secrets'), '');
      await toldToRead();
      await pass(500);
      await toldToRead();
      writeFileSync(scene.path('secrets'), secretEntry('new'));
      await toldToRead();
      await pass(500);
      expect(scene.notices).to.deep.equal([]);
      await pass(500);
      expect(scene.notices).to.deep.equal([noticeOf(['new'])]);
      await toldToRead();
      await pass(500);
      expect(scene.notices).to.deep.equal([noticeOf(['new']), noticeOf(['new'])]);
      writeFileSync(scene.path('secrets'), '');
      await toldToRead();
      await pass(1_000);
      await pass(500);
      expect(scene.notices.at(-1)).to.deep.equal({ ...noticeOf([]), wrong: ['WEBHOOK_SECRETS_FILE'] });
    } finally {
      mock.timers.reset();
    }
  });

  it('hands over nothing of a file that changed while it was read, unless that goes on', async () => {
    scene.replace('secrets', secretEntry('old'));
    let atReading = (): void => undefined;
    const looks = {
      ...atOnce,
      reach: () => {
        atReading();
        return Promise.resolve();
      },
    };
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets') }, 500, looks);
      atReading = () => writeFileSync(scene.path('secrets'), '');
      scene.replace('secrets', secretEntry('new'));
      await pass(500);
      await pass(500);
      atReading = () => undefined;
      writeFileSync(scene.path('secrets'), secretEntry('new'));
      await pass(500);
      expect(scene.notices).to.deep.equal([]);
      await pass(500);
      expect(scene.notices).to.deep.equal([noticeOf(['new'])]);
      let size = 0;
      atReading = () => scene.replace('secrets', `${secretEntry('newer')}${'\n'.repeat((size += 1))}`);
      scene.replace('secrets', secretEntry('newer'));
      for (let passed = 0; passed < 7; passed += 1) await pass(500);
      expect(scene.notices.slice(1)).to.deep.equal([noticeOf(['newer'])]);
    } finally {
      mock.timers.reset();
    }
  });

  it('waits for no file that keeps changing, and tells of it once, while another one has lost a key', async () => {
    scene.replace('secrets', secretEntry('own'));
    scene.replace('keys', `${keyEntry('a')},${keyEntry('b')}`);
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets'), API_KEYS_FILE: scene.path('keys') }, 500, atOnce);
      const touchedFor = async (seconds: number): Promise<void> => {
        for (let looks = 0; looks < seconds * 2; looks += 1) {
          // Its size tells as well, however coarse the times of files are.
          scene.replace('secrets', `${secretEntry('own')}${'\n'.repeat((looks % 2) + 1)}`);
          await pass(500);
        }
      };
      await touchedFor(0.5);
      scene.replace('keys', keyEntry('b'));
      await touchedFor(2);
      expect(scene.notices).to.deep.equal([]);
      await touchedFor(1);
      expect(scene.notices).to.deep.equal([{ ...noticeOf(['own']), keys: ['b'] }]);
      expect(scene.restless).to.deep.equal(['WEBHOOK_SECRETS_FILE']);
      await touchedFor(30);
      expect(scene.notices).to.have.length(11);
      expect(scene.restless).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });

  it('reads no file by half that is being written, while another one keeps changing', async () => {
    scene.replace('secrets', secretEntry('own'));
    scene.replace('keys', keyEntry('a'));
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ WEBHOOK_SECRETS_FILE: scene.path('secrets'), API_KEYS_FILE: scene.path('keys') }, 500, atOnce);
      const steps = ['', '', '', '', 'a', 'a:', 'a:o', keyEntry('a'), ''].map((text, at) => ({ text, at }));
      for (const { text, at } of steps) {
        scene.replace('secrets', `${secretEntry('own')}${'\n'.repeat((at % 2) + 1)}`);
        if (at >= 4 && at < 8) writeFileSync(scene.path('keys'), text);
        await pass(500);
      }
      expect(scene.notices).to.deep.equal([{ ...noticeOf(['own']), keys: ['a'] }]);
    } finally {
      mock.timers.reset();
    }
  });

  it('lets what was read last be valid while the file system does not answer, and tells when that begins and ends', async () => {
    scene.replace('keys', keyEntry('a'));
    let answers = Promise.withResolvers<undefined>();
    const hanging = {
      fingerprint: (at: string) => answers.promise.then(() => atOnce.fingerprint(at)),
      reach: () => answers.promise,
    };
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      scene.watch({ API_KEYS_FILE: scene.path('keys') }, 500, hanging);
      scene.replace('keys', keyEntry('b'));
      process.emit('SIGHUP', 'SIGHUP');
      for (let seconds = 0; seconds < 30; seconds += 1) await pass(1_000);
      expect({ notices: scene.notices, silences: scene.silences }).to.deep.equal({ notices: [], silences: [5] });
      answers.resolve(undefined);
      for (let looks = 0; looks < 4; looks += 1) await pass(500);
      expect(scene.silences).to.deep.equal([5, 'over']);
      expect(new Set(scene.notices.map(({ keys }) => keys.join()))).to.deep.equal(new Set(['b']));
      // Asked for while a look is under way, it is done behind that.
      scene.notices = [];
      answers = Promise.withResolvers<undefined>();
      await pass(500);
      process.emit('SIGHUP', 'SIGHUP');
      await pass(0);
      expect(scene.notices).to.deep.equal([]);
      answers.resolve(undefined);
      await pass(0);
      expect(scene.notices).to.have.length(1);
    } finally {
      mock.timers.reset();
    }
  });
});
