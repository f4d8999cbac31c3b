import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { at } from '../support/naive-json.ts';
import { PERSONAL_REFERENCES, PERSONAL_STATEMENT, TOLD_REFERENCES } from '../support/bank-files/personal-references.ts';
import { processFixture } from './process-fixture.ts';

describe('references of bank lines on the command line', () => {
  const ledger = processFixture();

  const printed = async (...args: readonly string[]): Promise<string> => {
    const { status, out, err } = await ledger.command(args, ledger.env());
    expect(status, `${args.join(' ')}: ${err}`).to.equal(0);
    return out;
  };

  it('tell the numbers of people and words of texts with --pii alone, printed and in files', async () => {
    await (await ledger.serveHere(ledger.env())).stop();
    const bank = ledger.inFolder('april.sta');
    writeFileSync(bank, PERSONAL_STATEMENT);
    const id = String(at(JSON.parse(await printed('statement', 'import', bank, '--json')), 'statementId'));
    const written = async (name: string, ...more: readonly string[]): Promise<string> => {
      const out = ledger.inFolder(name);
      await printed('export', 'reconciliation', '--out', out, ...more);
      return readFileSync(out, 'utf8');
    };
    const masked = [
      await printed('statement', 'lines', id),
      await printed('statement', 'lines', id, '--json'),
      await written('masked.csv'),
      await written('masked.ndjson'),
    ];
    for (const text of masked) {
      for (const reference of PERSONAL_REFERENCES) expect(text).not.to.include(reference);
      for (const reference of TOLD_REFERENCES) expect(text).to.include(reference);
    }
    for (const text of [await printed('statement', 'lines', id, '--pii'), await written('whole.ndjson', '--pii')])
      for (const reference of [...PERSONAL_REFERENCES, ...TOLD_REFERENCES]) expect(text).to.include(reference);
  });
});
