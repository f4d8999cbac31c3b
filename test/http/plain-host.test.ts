import { expect } from 'chai';
import { isFromHere } from '../../src/console/same-origin.ts';
import { isKnownHost } from '../../src/http/known-host.ts';
import { isPlainHost } from '../../src/http/plain-host.ts';
import { pathOfTarget } from '../../src/http/request-target.ts';

/** A name that takes a parser of URLs long: as many different characters as fit, each escaped, behind a long label. */
const HEAVY = `${'a'.repeat(6_000)}${Array.from({ length: 1_000 }, (_, n) => encodeURIComponent(String.fromCodePoint(0x4e00 + n))).join('')}`;

const HOSTS = { publicUrl: null, listensOnLoopback: true, isLoopback: () => true };

describe('a host', () => {
  it('is given to a parser of URLs where it is plain, and no longer than names are', () => {
    for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:80', '[::1]:8080', 'xn--bcher-kva.example'])
      expect(isPlainHost(host), host).to.equal(true);
    for (const host of ['', 'a%62', 'bücher.example', 'a b', 'a'.repeat(301), HEAVY])
      expect(isPlainHost(host), host.slice(0, 20)).to.equal(false);
  });

  it('that is none is refused in a target, a Host and an Origin, unparsed', () => {
    const spelled = `a.b${'c'.repeat(400)}`;
    for (const host of [HEAVY, 'lo%63alhost', 'b\u00fccher', spelled]) {
      expect(pathOfTarget(`http://${host}/livez`)).to.equal(null);
      expect(isKnownHost(HOSTS, '/', host)).to.equal(false);
      const get = (name: string): string => ({ Origin: `http://${host}`, Host: host })[name] ?? '';
      expect(isFromHere({ get }, null)).to.equal(false);
    }
  });

  it('in a target stands behind whoever is named there, whose password may have escapes', () => {
    expect(pathOfTarget('http://user:p%40ss@localhost:80/livez?a=1')).to.equal('/livez?a=1');
    expect(pathOfTarget('http://a@b%63/livez')).to.equal(null);
    expect(pathOfTarget('HTTP://localhost')).to.equal('/');
    expect(pathOfTarget('http://localhost?x')).to.equal('/?x');
    expect(pathOfTarget('http://@localhost/')).to.equal('/');
    expect(pathOfTarget(`http://${'a'.repeat(300)}@localhost/livez`)).to.equal('/livez');
    for (const none of [
      'http:///livez',
      'http://user@/livez',
      'http://localhost:a/',
      'http://localhost:99999/',
      'ftp://localhost/',
    ])
      expect(pathOfTarget(none), none).to.equal(null);
  });

  it('in a target is refused unparsed with whoever is named there where that is no plain name, or longer than any', () => {
    for (const user of [HEAVY, '['.repeat(15_000), 'a'.repeat(301), 'b\u00fccher', 'a b'])
      expect(pathOfTarget(`http://${user}@localhost/livez`), user.slice(0, 20)).to.equal(null);
  });

  it('in a target changes nothing of what is asked: the path is read as one that came without a host', () => {
    for (const path of ['/x/../v1/webhooks', '/%2e/livez', '/a@b', '/?a=http://b@c/', '/\u00fc', '//livez'])
      expect(pathOfTarget(`http://user@localhost:80${path}`)).to.equal(path);
  });
});
