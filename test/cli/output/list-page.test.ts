import { expect } from 'chai';
import { writeListPage } from '../../../src/cli/output/list-page.ts';

const NAMES = ['orderId', 'status', 'phase', 'fiat', 'token'];
const ORDER = { orderId: 'ord-1', status: 'PayoutSuccess', phase: 'settled', fiat: '1870.5', token: 'MATIC' };

const shownAt = (width: number | null): string => {
  let written = '';
  const out = (text: string | Uint8Array): void => {
    written += String(text);
  };
  writeListPage(
    { out, note: out, width },
    { data: [ORDER], next: null },
    {
      json: false,
      names: NAMES,
      alignments: ['text', 'text', 'text', 'number', 'text'],
      dispensable: ['phase', 'token'],
    },
  );
  return written;
};

describe('a page of a list', () => {
  it('has all columns where they fit, and in a file', () => {
    for (const width of [null, 46]) {
      expect(shownAt(width)).to.equal(
        'orderId  status         phase      fiat  token\nord-1    PayoutSuccess  settled  1870.5  MATIC\n',
      );
    }
  });

  it('leaves out and names as few columns as a narrow terminal asks for, and keeps all digits', () => {
    expect(shownAt(35)).to.equal(
      'orderId  status         fiat  token\nord-1    Payou…ccess  1870.5  MATIC\nleft out: phase (--json has them)\n',
    );
    expect(shownAt(28)).to.equal(
      'orderId  status         fiat\nord-1    Payou…ccess  1870.5\nleft out: phase, token (--json has them)\n',
    );
  });
});
