import { expect } from 'chai';
import { isFromHere } from '../../src/console/same-origin.ts';

const PUBLIC = 'https://ledger.example';

/** By what the browser says of the site, and of the origin, of a form to `ledger.example`. */
const isOwn = (site: string, origin: string, publicUrl: string | null): boolean => {
  const headers = new Map([
    ['Sec-Fetch-Site', site],
    ['Origin', origin],
    ['Host', 'ledger.example'],
  ]);
  return isFromHere({ get: (name: string) => headers.get(name) ?? '' }, publicUrl);
};

describe('a form, as far as the browser says where it is from', () => {
  it('is from here by its site and by its origin, where the address of the console is known', () => {
    for (const site of ['', 'same-origin'])
      for (const origin of ['', PUBLIC]) expect(isOwn(site, origin, PUBLIC), `${site} ${origin}`).to.equal(true);
    for (const site of ['cross-site', 'same-site', 'none']) expect(isOwn(site, PUBLIC, PUBLIC), site).to.equal(false);
    for (const origin of ['https://evil.example', 'http://ledger.example', 'null'])
      expect(isOwn('same-origin', origin, PUBLIC), origin).to.equal(false);
  });

  it('is from here by its site, else by the host of its origin, where it is not', () => {
    expect(isOwn('same-origin', '', null)).to.equal(true);
    for (const site of ['cross-site', 'same-site', 'none']) expect(isOwn(site, PUBLIC, null), site).to.equal(false);
    for (const origin of ['', PUBLIC, 'http://ledger.example']) expect(isOwn('', origin, null), origin).to.equal(true);
    for (const origin of ['https://evil.example', 'null', 'https://ledger.example.evil.example'])
      expect(isOwn('', origin, null), origin).to.equal(false);
  });
});
