import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { currentSecrets } from '../../../src/composition/ledger/current-secrets.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { createLog } from '../../../src/telemetry/logger.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the secrets and keys of a ledger that starts', () => {
  it('are those of the moment in which it begins to watch them: one that was taken out meanwhile is not valid', async () => {
    const folder = temporaryFolder();
    const file = `${folder.path}/keys`;
    const keyed = (id: string): string => `${id}:orders:read=${id}-key-of-at-least-24-bytes-to-be-one`;
    writeFileSync(file, keyed('old'), { mode: 0o600 });
    const env = { DATA_DIR: `${folder.path}/data`, API_KEYS_FILE: file };
    const { config } = right(loadConfig(env, { generate: true, randomBytes }));
    const ids = (keys: typeof config.secrets.apiKeys): readonly string[] => keys.map(({ id }) => id);
    expect(ids(config.secrets.apiKeys)).to.deep.equal(['old']);
    writeFileSync(`${file}.new`, keyed('new'), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    const secrets = currentSecrets(env, config, await createLog('silent', false));
    try {
      expect(ids(secrets.get().apiKeys)).to.deep.equal(['new']);
      expect(secrets.get().webhook).to.deep.equal(config.secrets.webhook);
    } finally {
      secrets.stop();
      folder.remove();
    }
  });
});
