import { expect } from 'chai';
import { exchange } from '../../support/exchange.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import type { KeyName } from '../console-keys.ts';

describe('the health of a ledger on loopback', () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
  });
  after(() => scene.close());

  const seen = async (key: KeyName, headers: Readonly<Record<string, string>>): Promise<'whole' | 'outline'> => {
    const { status, text } = await exchange(scene.url, {
      path: '/console/health',
      headers: { ...headers, cookie: await scene.cookie(key) },
    });
    expect(status).to.equal(200);
    expect(text.includes('Webhook secrets')).to.equal(!text.includes('are shown to keys with the scope admin'));
    return text.includes('Webhook secrets') ? 'whole' : 'outline';
  };

  it('is shown whole to all who sign in on this machine, and through a proxy to keys with the scope admin', async () => {
    expect(await seen('orders', {})).to.equal('whole');
    const passedOn: readonly Readonly<Record<string, string>>[] = [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-proto': 'https' },
      { via: '1.1 proxy' },
    ];
    for (const headers of passedOn) {
      expect(await seen('orders', headers), JSON.stringify(headers)).to.equal('outline');
      expect(await seen('full', headers), JSON.stringify(headers)).to.equal('whole');
    }
  });
});
