import { expect } from 'chai';
import { docExamples } from '../support/doc-examples.ts';
import { openDocShell, type DocShell } from '../support/doc-shell.ts';
import { repositoryFile } from '../support/repository-file.ts';
import { shownOutput } from '../support/shown-output.ts';

describe('examples', () => {
  for (const path of ['docs/integrating.md', 'docs/auditing.md', 'docs/finance.md']) {
    describe(`of ${path}`, () => {
      const examples = docExamples(repositoryFile(path));
      let shell: DocShell;
      before(async () => {
        shell = await openDocShell();
      });
      after(() => shell.close());

      it('print what the document shows, one after the other', async () => {
        expect(examples.length).to.be.greaterThan(8);
        for (const { line, command, shown, inBackground } of examples) {
          if (inBackground) {
            await shell.start(command);
            continue;
          }
          const printed = await shell.run(command);
          // Compared once more as they stand for the sake of the difference that is then shown.
          if (!shownOutput(shown).test(printed)) expect(printed, `${path}, line ${line}`).to.equal(shown);
        }
      }).timeout(180_000);
    });
  }

  it('are all blocks but pictures, and none goes unrun', () => {
    const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;
    const document = [
      block('mermaid', 'flowchart LR'),
      `<!-- ci:background -->\n\n${block('sh', 'npm start')}`,
      block('sh', 'echo a\necho b'),
      `prints\n${block('text', 'a\nb')}`,
    ].join('\n');
    expect(
      docExamples(document).map(({ command, shown, inBackground }) => [command, shown, inBackground]),
    ).to.deep.equal([
      ['npm start', '', true],
      ['echo a\necho b', 'a\nb', false],
    ]);
    for (const wrong of [
      '```sh\necho',
      block('bash', 'echo'),
      block('text', 'a'),
      `${document}${block('text', 'a')}`,
    ]) {
      expect(() => docExamples(wrong), wrong).to.throw(/line \d+: a block/);
    }
  });
});

describe('an output that a document shows', () => {
  const fits = (shown: string, printed: string): boolean => shownOutput(shown).test(printed);

  it('is compared to the letter but for what its stand-ins stand for', () => {
    const time = '2026-03-02T09:00:00.000Z';
    expect(fits('at <time>, <n> of "a…c"\nend', `at ${time}, 12 of "a b c"\nend`)).to.equal(true);
    for (const printed of [
      `at ${time}, 12 of "a b c"\nEnd`,
      `at ${time}, x of "a b c"\nend`,
      `at today, 12 of "a b c"\nend`,
      `at ${time}, 12 of "a b c"\nend\n`,
      `at ${time}, 12 of "a b c"\nmore\nend`,
      `at ${time}, 12 of "a\nc"\nend`,
    ]) {
      expect(fits('at <time>, <n> of "a…c"\nend', printed), printed).to.equal(false);
    }
    expect(fits('(a.b) $1', '(aXb) $1')).to.equal(false);
    expect([fits('', ''), fits('', 'x')]).to.deep.equal([true, false]);
  });

  it('leaves out whole lines where it says so, and says something itself', () => {
    expect([fits('a\n…\nb', 'a\nx\ny\nb'), fits('a\n…\nb', 'a\nb'), fits('a\n…', 'a\nx')]).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect([fits('a\n…\nb', 'a\nx'), fits('…\nb', 'x\nbc')]).to.deep.equal([false, false]);
    for (const nothing of ['…', '…\n<time> <n>', '  …']) expect(() => shownOutput(nothing)).to.throw('shows nothing');
  });
});
