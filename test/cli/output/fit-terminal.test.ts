import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { fitTerminal } from '../../../src/cli/output/fit-terminal.ts';
import { orderPage } from '../../../src/cli/output/order-page.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { contextOf, gatheringTerminal } from '../../support/gathering-terminal.ts';

const STEERING = [
  '\u001b[2J',
  '\u009b31m',
  '\r',
  '\b',
  '\u0007',
  '\u202e',
  '\u061c',
  '\u2028',
  '\u0000',
  '\u200b',
  '\u{e0041}',
];
const CONTROL = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u200b\u{e0041}]/u;

describe('a terminal', () => {
  it('is steered by no text, whatever is in it', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...STEERING, 'a', '\n', '"'), fc.string({ unit: anyCharacter })),
    });
    fc.assert(
      fc.property(text, (came) => {
        const { terminal, out, err } = gatheringTerminal();
        const fitted = fitTerminal(terminal);
        fitted.out(came.toWellFormed());
        fitted.note(came.toWellFormed());
        expect(out() + err()).not.to.match(CONTROL);
      }),
    );
  });

  it('shows the same JSON, and bytes as they are', () => {
    const value = { [STEERING.join('')]: STEERING, text: 'plain \n' };
    const { terminal, out } = gatheringTerminal();
    fitTerminal(terminal).out(JSON.stringify(value));
    expect(JSON.parse(out())).to.deep.equal(value);
    const file = gatheringTerminal();
    fitTerminal(file.terminal).out(Buffer.from('a\r\n\u001b'));
    expect(file.out()).to.equal('a\r\n\u001b');
  });

  it('is steered by no bytes either, which are a file only where they go into one', async () => {
    const csv = Buffer.from(`symbol\r\n"${STEERING.join('')}"\r\n`);
    const { terminal, out } = gatheringTerminal({ width: 80 });
    const fitted = fitTerminal(terminal);
    fitted.out(csv);
    await fitted.pipeOut(Readable.from([csv.subarray(0, 9), csv.subarray(9)]));
    expect(out()).to.include('symbol\n').and.not.match(CONTROL);
    const file = gatheringTerminal();
    await fitTerminal(file.terminal).pipeOut(Readable.from([csv]));
    expect(file.bytes()).to.deep.equal(csv);
  });

  it('shows bytes alike in however many pieces they come, and all of them', async () => {
    const csv = Buffer.from([...Buffer.from('naïve\r\n"a\rb"\r\n₹\r'), 0xe2]);
    const shown = async (pieces: readonly Buffer[]): Promise<string> => {
      const { terminal, out } = gatheringTerminal({ width: 80 });
      await fitTerminal(terminal).pipeOut(Readable.from(pieces));
      return out();
    };
    const whole = 'naïve\n"a\\u000db"\n₹\\u000d\ufffd';
    expect(await shown([csv])).to.equal(whole);
    expect(await shown(Array.from(csv, (byte) => Buffer.from([byte])))).to.equal(whole);
    const { terminal, out } = gatheringTerminal({ width: 80 });
    fitTerminal(terminal).out(csv);
    expect(out()).to.equal(whole);
  });

  it('keeps the colours that the program sets itself, where there are colours', () => {
    const { terminal, out } = gatheringTerminal();
    fitTerminal({ ...terminal, coloured: true }).out('\u001b[31mWRONG\u001b[39m \u001b[1mbold');
    expect(out()).to.equal('\u001b[31mWRONG\u001b[39m \\u001b[1mbold');
  });

  it('is not reached by the names of members, or by a command that nobody knows', async () => {
    for (const steering of STEERING) {
      expect(orderPage({ metaData: { [`a${steering}`]: 'b' } })).not.to.match(CONTROL);
      const { terminal, out, err } = gatheringTerminal();
      expect(await runCommandLine(contextOf(terminal), [`no${steering}such`])).to.equal(2);
      expect(out() + err())
        .not.to.match(CONTROL)
        .and.not.equal('');
    }
  });
});
