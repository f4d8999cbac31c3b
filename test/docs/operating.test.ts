import { readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { helpOf } from '../support/command-help.ts';
import { knownVariables } from '../support/known-variables.ts';
import { repositoryFile, repositoryPath } from '../support/repository-file.ts';
import { right } from '../support/right.ts';
import { openSpoolHere } from '../support/spool-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { composeFile } from '../deploy/compose-file.ts';

const operating = repositoryFile('docs/operating.md');
const sources = readdirSync(repositoryPath('src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: repositoryFile(`src/${path}`) }));
const scripts = ['set-up-store.sh', 'make-secrets.sh'].map((name) => repositoryFile(`deploy/${name}`));

const codeSpans = (text: string): readonly string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
const codeBlocks = [...operating.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block).join('\n');
const sectionOf = (heading: string): string =>
  operating.split(/^#{2,3} /m).find((part) => part.startsWith(heading)) ?? '';
const rowsOf = (heading: string): readonly (readonly string[])[] =>
  sectionOf(heading)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|`?msg`? |seen )/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '').trim()));

/** What a text says around its gaps, in the sources or the set-up's scripts. */
const isSaid = (quoted: string): boolean =>
  [...sources.map(({ text }) => text), ...scripts].some((text) =>
    quoted
      .split('…')
      .map((part) => part.trim())
      .every((part) => text.includes(part)),
  );

type Logged = { readonly level: string; readonly message: string };
const CALL = /\.(info|warn|error)\(\s*(?:[^'"`;]*?,\s*)?'([^'\n]+)'/g;

/** Every message of the ledger's own log; the sandbox has none but for demonstrations. */
const logged: readonly Logged[] = sources
  .filter(({ path }) => !/sandbox|demo/.test(path))
  .flatMap(({ text }) => [...text.matchAll(CALL)].map(([, level = '', message = '']) => ({ level, message })));

describe('docs/operating.md', () => {
  it('lists log lines that are written, at the level that it says', () => {
    const rows = rowsOf('Log lines');
    expect(rows.length).to.be.greaterThan(12);
    for (const [lines = '', level = ''] of rows) {
      for (const line of codeSpans(lines)) {
        const start = line.replace(/…$/, '').trim();
        const levels = logged.filter(({ message }) => message.startsWith(start)).map((one) => one.level);
        expect(new Set(levels), line).to.deep.equal(new Set([level]));
      }
    }
  });

  it('lists every log line that calls for somebody', () => {
    const listed = rowsOf('Log lines').flatMap(([lines = '']) =>
      codeSpans(lines).map((line) => line.replace(/…$/, '').trim()),
    );
    const calling = logged.filter(({ level }) => level !== 'info').map(({ message }) => message);
    expect(calling.length).to.be.greaterThan(8);
    expect(calling.filter((message) => !listed.some((line) => message.startsWith(line)))).to.deep.equal([]);
  });

  it('quotes errors and codes that are given', () => {
    const quoted = rowsOf('Not ready, or refused').flatMap(([seen = '']) => codeSpans(seen));
    expect(quoted.filter((span) => span.includes('…')).length).to.be.greaterThan(3);
    expect(quoted.filter((span) => span.includes('…') && !isSaid(span))).to.deep.equal([]);
    const codes = [...operating.matchAll(/\b[45]\d\d `([a-z-]+)`/g)].map(([, code = '']) => code);
    expect(codes).to.include.members(['overloaded', 'behind', 'signature-mismatch', 'store-unavailable']);
    for (const code of codes)
      expect(
        sources.some(({ text }) => text.includes(`'${code}'`)),
        code,
      ).to.equal(true);
  });

  it('names commands that there are, with options that they take', async () => {
    const uses = [...codeSpans(operating), ...codeBlocks.split('\n')].flatMap((line) => [
      ...line.matchAll(/(?:ramp-ledger|ramp-ledger\.mjs|--no-deps (?:-v \S+ )?ledger) ([a-z]+)([^#]*)/g),
    ]);
    expect(new Set(uses.map(([, command]) => command))).to.include.keys('migrate', 'replay', 'verify');
    for (const [use, command = '', rest = ''] of uses) {
      const help = await helpOf([command]);
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(help, use).to.contain(option);
    }
    const migrate = await helpOf(['migrate']);
    for (const option of codeSpans(operating).filter((span) => /^--(from|to)$/.test(span))) {
      expect(migrate).to.contain(option);
    }
  });

  it('names services and profiles of docker-compose.yml', () => {
    const { services, volumes } = composeFile();
    const known = [...Object.keys(services), ...Object.keys(volumes)];
    const named = `${codeSpans(operating).join('\n')}\n${codeBlocks}`;
    const spans = codeSpans(operating).filter((span) =>
      /^(?:certificates|ledger-\d|store-(?!unavailable)\w[\w-]*|cluster-[\w-]+)$/.test(span),
    );
    const run = [
      ...named.matchAll(/docker compose (?:--profile \w+ )?(?:exec|restart|run --rm(?: --entrypoint sh)?) (\w[\w-]*)/g),
    ];
    expect(run.length).to.be.greaterThan(4);
    expect(known).to.include.members([...spans, ...run.map(([, service = '']) => service)]);
    const mounted = [...named.matchAll(/-v ramp-ledger_([\w-]+):/g)].map(([, volume = '']) => volume);
    expect(Object.keys(volumes)).to.include.members(mounted);
    expect(mounted).to.not.deep.equal([]);
  });

  it('says for every command that reads or writes a file how it is done in a container', async () => {
    const [intro = ''] = operating.split('## In short');
    const names = [...(await helpOf([])).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    const ofFiles: string[] = [];
    for (const name of names) {
      if (!['help', 'sandbox'].includes(name) && /--out <file>|--checkpoint <file>|<file>/.test(await helpOf([name])))
        ofFiles.push(name);
    }
    expect(ofFiles).to.include.members(['backup', 'restore', 'export', 'evidence', 'verify']);
    expect(ofFiles.filter((name) => !new RegExp(`\\b${name}\\b`).test(intro))).to.deep.equal([]);
  });

  it('asks the spool only for what is in it', async () => {
    const { path, remove } = temporaryFolder();
    const file = `${path}/spool.db`;
    await right(await openSpoolHere(file)).close();
    const database = new Database(file, { readonly: true });
    try {
      // Which the command line of SQLite has.
      database.function('writefile', { varargs: true }, () => 0);
      const asked = [...codeBlocks.matchAll(/spool\.db (["'])(SELECT .*?)\1/g)].map(([, , sql = '']) => sql);
      expect(asked).to.have.length(3);
      for (const sql of asked) expect(() => database.prepare(sql), sql).to.not.throw();
    } finally {
      database.close();
      remove();
    }
  });
});

describe('variables in documents', () => {
  const ofCompose = `${repositoryFile('docker-compose.yml')}\n${repositoryFile('.env')}`;
  const variable = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g;
  /** Of programs beside the ledger. */
  const others = ['SANDBOX_WEBHOOK_SECRET', 'NO_COLOR', 'CHROMIUM_EXECUTABLE'];

  for (const path of ['README.md', 'docs/operating.md', 'docs/integrating.md', 'docs/spec/configuration.md']) {
    it(`${path}: each is one of the configuration, of docker-compose.yml or of a program beside the ledger`, () => {
      const known = new Set([...knownVariables(), ...others]);
      const named = codeSpans(repositoryFile(path)).flatMap((span) => span.match(variable) ?? []);
      expect(named).to.not.deep.equal([]);
      expect(named.filter((name) => !known.has(name) && !ofCompose.includes(name))).to.deep.equal([]);
    });
  }
});
