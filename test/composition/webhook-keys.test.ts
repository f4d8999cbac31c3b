import { expect } from 'chai';
import { signerOf } from '../../src/composition/webhook-keys.ts';
import type { Secrets } from '../../src/config/index.ts';
import { branded } from '../../src/domain/brand.ts';
import type { SecretId } from '../../src/domain/ids.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';

const secret = (id: string, key: string): Secrets['webhook']['active'][number] => ({
  id: branded<SecretId>(id),
  key: Buffer.from(key),
});

const NONE: Secrets = { webhook: { active: [], retired: [] }, apiKeys: [] };
const OTHER = secret('other', 'another-secret-of-24-bytes-or-more');

describe('the secret that signed what waited in the spool', () => {
  const body = bodyOf(onRamp());
  const delivery = { body, signature: signatureOf(body) };

  it('is one that is accepted, or one that proves old events: an acknowledged delivery is appended behind a change of secrets', () => {
    const signed = secret('signed', SECRET);
    const webhooks = [
      { active: [OTHER, signed], retired: [] },
      { active: [OTHER], retired: [signed] },
      { active: [], retired: [signed] },
    ];
    for (const webhook of webhooks) expect(signerOf(() => ({ ...NONE, webhook }))(delivery)).to.equal('signed');
  });

  it('is none where the bytes are others, the signature is another or none at all, or no secret fits', () => {
    const find = signerOf(() => ({ ...NONE, webhook: { active: [secret('signed', SECRET)], retired: [OTHER] } }));
    expect(find({ ...delivery, body: Buffer.concat([body, Buffer.from(' ')]) })).to.equal(null);
    for (const signature of ['', 'signed', '0'.repeat(64), `${delivery.signature}00`])
      expect(find({ ...delivery, signature })).to.equal(null);
    expect(signerOf(() => ({ ...NONE, webhook: { active: [OTHER], retired: [] } }))(delivery)).to.equal(null);
  });

  it('is looked for among the secrets of each moment', () => {
    let secrets = NONE;
    const find = signerOf(() => secrets);
    expect(find(delivery)).to.equal(null);
    secrets = { ...NONE, webhook: { active: [secret('signed', SECRET)], retired: [] } };
    expect(find(delivery)).to.equal('signed');
  });
});
