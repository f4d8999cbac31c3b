import { expect } from 'chai';
import { docExamples } from '../support/doc-examples.ts';
import { openDocShell, type DocShell } from '../support/doc-shell.ts';
import { repositoryFile } from '../support/repository-file.ts';
import { shownOutput } from '../support/shown-output.ts';

const PAGE = 'docs/mirroring.md';

/** It needs Go's packages of Debian, golang-go and golang-golang-x-mod-dev, which npm does not bring. */
describe(`the examples of ${PAGE}`, () => {
  let shell: DocShell;
  before(async () => {
    shell = await openDocShell();
  });
  after(() => shell.close());

  it('print what the document shows, one after the other', async () => {
    const examples = docExamples(repositoryFile(PAGE));
    expect(examples.length).to.be.greaterThan(6);
    for (const { line, command, shown, inBackground } of examples) {
      if (inBackground) {
        await shell.start(command);
        continue;
      }
      const printed = await shell.run(command);
      if (!shownOutput(shown).test(printed)) expect(printed, `${PAGE}, line ${line}`).to.equal(shown);
    }
  });
});
