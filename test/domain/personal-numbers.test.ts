import { expect } from 'chai';
import * as fc from 'fast-check';
import { hasIbanOrPan } from '../../src/domain/personal-numbers.ts';

const NO_BREAK_SPACE = '\u00A0';
const MARKS = [' ', NO_BREAK_SPACE, '-', '.', '/', ':', '_', '\u2013', ' - '];
const IBAN_GROUPS = ['GB82', 'WEST', '1234', '5698', '7654', '32'];
const PAN_GROUPS = ['ABCDE', '1234', 'F'];

/** The same texts in each run: what hits by chance is no reason to fail another day. */
const SEED = 20_261_126;

const text = (of: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...of.split('')), minLength: length, maxLength: length });

const [LETTERS, DIGITS] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/** References of the usual forms, as banks and programs make them up. */
const USUAL: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'letters and digits': fc.integer({ min: 12, max: 22 }).chain((length) => text(LETTERS + DIGITS, length)),
  NEFT: text(DIGITS, 11).map((digits) => `HDFCN${digits}`),
  RTGS: text(DIGITS, 17).map((digits) => `KKBKR${digits}`),
  IMPS: text(DIGITS, 12),
  UUID: fc.uuid(),
  EndToEndId: fc.tuple(text(LETTERS, 3), text(DIGITS, 8), text(DIGITS, 6)).map((its) => its.join('-')),
  'INV NO': text(DIGITS, 13).map((digits) => `INV NO ${digits}`),
};

describe('the number of a person in a text', () => {
  it('is an IBAN, however it is written, or a PAN', () => {
    for (const its of [
      'NL91ABNA0417164300',
      'nl91abna0417164300',
      'NL91 ABNA 0417 1643 00',
      'AT61 1904 3002 3457 3201 PAID',
      'TO/IBANNL91ABNA0417164300/X',
      'ABCDE1234F',
      'PAN:abcde1234f.',
    ])
      expect(hasIbanOrPan(its), its).to.equal(true);
    for (const its of [
      'NL92ABNA0417164300',
      'RF18539007547034',
      'HDFCR52026030212345678',
      'N061260012345678',
      'INV-2026-17',
    ])
      expect(hasIbanOrPan(its), its).to.equal(false);
  });

  it('is seen with any marks between its groups, whatever stands around it', () => {
    for (const mark of MARKS)
      for (const groups of [IBAN_GROUPS, PAN_GROUPS])
        for (const around of [(it: string) => it, (it: string) => `TO ${it} PAID`, (it: string) => `P2P/${it}/17`]) {
          const its = around(groups.join(mark));
          expect(hasIbanOrPan(its), its).to.equal(true);
        }
    for (const its of [
      'DE89-3704-0044-0532-0130-00',
      'DE 89 3704 0044 0532 0130 00',
      'ＤＥ８９ ３７０４ ００４４ ０５３２ ０１３０ ００',
    ])
      expect(hasIbanOrPan(its), its).to.equal(true);
  });

  it('is seen in a longer word that it begins, and behind what accounts and PANs are called by', () => {
    for (const its of [
      'GB82WEST12345698765432X17',
      'TO.GB82WEST12345698765432REF',
      'CPTYIBANGB82WEST12345698765432',
      'XIBAN:GB82-WEST-1234-5698-7654-32',
      'KONTOGB82WEST12345698765432',
      'PANABCDE1234F17',
      'PANNOABCDE1234F',
      '27ABCDE1234F1Z5',
    ])
      expect(hasIbanOrPan(its), its).to.equal(true);
  });

  it('is hardly ever seen in what payments are usually named by', () => {
    for (const [name, references] of Object.entries(USUAL)) {
      const seen = fc.sample(references, { numRuns: 5_000, seed: SEED }).filter(hasIbanOrPan);
      expect(seen.length, `${name}: ${seen.join(' ')}`).to.be.at.most(1);
    }
  });

  it('is looked for in a time of the length of the text', () => {
    const started = performance.now();
    for (const piece of ['AB12', 'AB12 ', 'A', 'NL91 ', 'NL91-', 'IBANGB82', 'ABCDE-', 'PAN', 'NO93.8601', '\uFDFA']) {
      const its = piece.repeat(65_536 / piece.length);
      hasIbanOrPan(its);
    }
    expect(performance.now() - started).to.be.lessThan(2_000);
  });
});
