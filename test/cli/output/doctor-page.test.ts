import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { judged, well, wrong } from '../../../src/doctor/doctor-check.ts';
import { doctorPage } from '../../../src/cli/output/doctor-page.ts';

describe('the page of doctor', () => {
  const checks = [well('disk', '2 GiB free\nand 3 GiB there'), wrong('event store', 'away', 'bring it back')];

  it('lines up what was found, and puts the cure below what is wrong', () => {
    expect(doctorPage(checks, false)).to.equal(
      [
        'ok     disk         2 GiB free',
        '                    and 3 GiB there',
        'WRONG  event store  away',
        '                    → bring it back',
        '',
        '1 of 2 checks found something wrong',
        '',
      ].join('\n'),
    );
    expect(doctorPage(checks.slice(0, 1), false)).to.match(/\nall is well\n$/);
  });

  it('colours the marks alone, and only where that is wanted', () => {
    const page = doctorPage(checks, true);
    expect(page).to.include('\u001B[31mWRONG\u001B[39m').and.to.include('\u001B[32mok   \u001B[39m');
    expect(stripVTControlCharacters(page)).to.equal(doctorPage(checks, false));
  });

  it('lets nothing that was found steer a terminal', () => {
    const page = doctorPage([wrong('set aside', '1: order-\u001B[2J: refused', 'none')], false);
    expect(page).to.not.include('\u001B');
    expect(page).to.include(String.raw`order-\u001b[2J`);
  });

  it('tells each thing that is wrong, and each cure once', () => {
    const cure = 'set the clock';
    const two = [
      { detail: 'one', cure },
      { detail: 'two', cure },
    ];
    expect(judged('clock', 'now', two)).to.deep.equal(wrong('clock', 'one\ntwo\nnow', cure));
    expect(judged('clock', 'now', [])).to.deep.equal(well('clock', 'now'));
  });
});
