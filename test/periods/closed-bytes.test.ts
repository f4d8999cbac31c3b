import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { at } from '../support/naive-json.ts';
import { closedBytes } from './closed-bytes.ts';

/** Recorded when form 1 was new, never to be written again: whoever changes what is answered of it changes closed figures. */
const RECORDED = new URL('./closed-form-1.json', import.meta.url);

describe('figures that were closed once', () => {
  it('are answered byte for byte by every later version of the program', async () => {
    const recorded: unknown = JSON.parse(readFileSync(RECORDED, 'utf8'));
    expect(await closedBytes(String(at(recorded, 'figures')))).to.deep.equal(at(recorded, 'reports'));
  });
});
