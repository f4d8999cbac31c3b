import { readdirSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { expect } from 'chai';
import { openLedger } from '../../../src/composition/commands/open-ledger.ts';
import { branded } from '../../../src/domain/brand.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { StatementId } from '../../../src/domain/statement-line.ts';
import { importRequest } from '../../../src/queries/statements/statement-request.ts';
import { AUTHOR, statementOf } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDependencies } from '../../support/route-dependencies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a bank file for a ledger that was never started', () => {
  it('is refused with what to do first, and is not kept: the folder would be no longer taken for a ledger', async () => {
    const folder = temporaryFolder();
    for (const time of ['once', 'again']) {
      const { store, statementFiles } = right(await openLedger({ DATA_DIR: folder.path }));
      const deps = { ...routeDependencies(), store: { ...routeDependencies().store, ...store }, statementFiles };
      const asked = { format: null, account: null, currency: null, profile: null, name: null };
      const refused = await importRequest(deps, asked, statementOf(), AUTHOR)();
      expect(E.isLeft(refused) ? JSON.stringify(refused.left) : null, time).to.include('ramp-ledger serve');
      expect(right(await statementFiles.keep(branded<StatementId>(sha256('x')), Buffer.from('x'))())).to.equal(
        undefined,
      );
      expect(readdirSync(folder.path), time).to.deep.equal([]);
    }
    folder.remove();
  });
});
