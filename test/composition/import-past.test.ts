import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importPast } from '../../src/composition/commands/import-past.ts';
import { gatheringTerminal } from '../support/gathering-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('import of past deliveries', () => {
  it('says in one line that a file cannot even be looked at, and makes no ledger', async () => {
    const folder = temporaryFolder();
    const circle = join(folder.path, 'circle');
    symlinkSync(circle, circle);
    const { terminal } = gatheringTerminal();
    for (const [file, code] of [
      ['a'.repeat(300), 'ENAMETOOLONG'],
      [circle, 'ELOOP'],
    ] as const) {
      const failed = await importPast({ DATA_DIR: folder.path }, terminal, file, () => undefined);
      expect(failed, code).to.have.nested.property('left.status', 1);
      expect(failed)
        .to.have.nested.property('left.line')
        .that.matches(new RegExp(`^[^\\n]*can't be read \\([^\\n]*, ${code}\\)$`));
    }
    folder.remove();
  });

  it('says once of a bank file that it holds no deliveries, and where such a file goes', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'given');
    const { terminal } = gatheringTerminal();
    const env = { DATA_DIR: join(folder.path, 'data') };
    const taken = (text: string) => {
      writeFileSync(file, text);
      return importPast(env, terminal, file, () => undefined);
    };
    const NOT_OURS = [
      '<?xml version="1.0"?>',
      ':20:X\n:25:ACC',
      '\uFEFF<?xml version="1.0"?>',
      '{1:F01X}',
      'PK\u0003\u0004',
      'OFXHEADER:100',
      '\uFEFFDate;Amount\n1;2\n',
    ];
    for (const text of NOT_OURS) {
      expect(await taken(text), text)
        .to.have.nested.property('left.line')
        .that.matches(/^[^\n]*given holds no deliveries: [^\n]* statement import,[^\n]*$/);
    }
    expect(readdirSync(folder.path), 'no ledger is made').to.deep.equal(['given']);
    // Lines that can't be read are refused one by one where there may be others.
    for (const text of ['not json\n', 'not json\nnor this\n', 'a,b\n{"body":"x"}\n', '', '\n\n{}\n']) {
      expect(await taken(text), text).to.have.nested.property('right.recorded', 0);
    }
    folder.remove();
  });
});
