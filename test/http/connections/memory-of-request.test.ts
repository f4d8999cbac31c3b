import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { at } from '../../support/naive-json.ts';

const KEPT = fileURLToPath(new URL('./kept-requests.ts', import.meta.url));
const HANGS_AFTER_MS = 120_000;

describe('memory of a request that nobody has heard', () => {
  for (const lines of [0, 10, 98])
    it(`is reckoned to be no less than what Node keeps of one with ${lines} short headers, and no more than three times that`, async () => {
      const options = { timeout: HANGS_AFTER_MS };
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', KEPT, String(lines)], options);
      const figures: unknown = JSON.parse(stdout);
      const measured = Number(at(figures, 'measured'));
      expect(Number(at(figures, 'reckoned')), stdout).to.be.within(measured, 3 * measured);
    }).timeout(HANGS_AFTER_MS);
});
