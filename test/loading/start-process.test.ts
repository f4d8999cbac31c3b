import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { startProcess } from '../../src/loading/start-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { within } from '../support/within.ts';

const ANSWERS_WITHIN_MS = 20_000;

/** A program that answers whatever it is told, and never ends by itself. */
const PROGRAM = "process.on('message', (message: unknown) => process.send?.(message));\n";

describe('a process that is started for a program', () => {
  const cacheBefore = process.env['NODE_COMPILE_CACHE'];
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    process.env['NODE_COMPILE_CACHE'] = join(folder.path, 'compiled');
  });
  afterEach(() => {
    if (cacheBefore === undefined) delete process.env['NODE_COMPILE_CACHE'];
    else process.env['NODE_COMPILE_CACHE'] = cacheBefore;
    folder.remove();
  });

  it('has kept what it compiled by its first answer, though it is killed then', async () => {
    const program = join(folder.path, 'program.ts');
    writeFileSync(program, PROGRAM);
    const child = startProcess(pathToFileURL(program));
    const ended = once(child, 'exit');
    try {
      const answered = once(child, 'message');
      child.send('asked');
      expect((await within(ANSWERS_WITHIN_MS, answered, 'an answer'))[0]).to.equal('asked');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    const kept = readdirSync(join(folder.path, 'compiled'), { recursive: true, withFileTypes: true });
    // Of the program alone its text without types, and its code; more of what starts it.
    expect(kept.filter((entry) => entry.isFile()).length).to.be.at.least(4);
  });
});
