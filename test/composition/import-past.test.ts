import { symlinkSync } from 'node:fs';
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
        .that.matches(new RegExp(`^[^\\n]*can't be read \\(${code}[^\\n]*$`));
    }
    folder.remove();
  });
});
