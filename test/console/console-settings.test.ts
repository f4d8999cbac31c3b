import { expect } from 'chai';
import { isLoopback } from '../../src/config/loopback.ts';
import { goesOverTls, originOf } from '../../src/console/console-settings.ts';

/** A request as Koa shows it: an address of IPv6 keeps its brackets. */
const asked = (hostname: string) => ({ hostname, get: (name: string) => (name === 'Host' ? `${hostname}:8080` : '') });

describe('where the console answers', () => {
  it('needs no TLS on a loopback host, by whatever address', () => {
    const settings = { publicUrl: null, isLoopback };
    for (const hostname of ['localhost', '127.0.0.1', '[::1]']) {
      expect(goesOverTls(settings)(asked(hostname)), hostname).to.equal(false);
      expect(originOf(asked(hostname), settings)).to.equal(`http://${hostname}:8080`);
    }
    for (const hostname of ['ledger.example', '[2001:db8::1]']) {
      expect(goesOverTls(settings)(asked(hostname)), hostname).to.equal(true);
      expect(originOf(asked(hostname), settings)).to.equal(`https://${hostname}:8080`);
    }
  });

  it('is where the proxy is, where that is said', () => {
    const settings = { publicUrl: 'https://ledger.example', isLoopback };
    expect(goesOverTls(settings)(asked('localhost'))).to.equal(true);
    expect(originOf(asked('localhost'), settings)).to.equal('https://ledger.example');
  });
});
