#!/usr/bin/env node
// Plain JavaScript of Node 12, and no static imports: on an old Node the check must come before anything that it can't load
// (it can't read TypeScript, and better-sqlite3 13 takes down Node 20 without a message).
const oldest = 24;
const major = Number(process.versions.node.split('.')[0]);

// Arguments may hold passwords and personal data (`migrate --to URL`, `upstream --data JSON`, `audit --q E-MAIL`), and
// lists of processes show them to everybody: they go before anything is loaded, which takes a while.
const command = process.argv.slice(2, 3).join('');
process.title = /^[a-z]+$/.test(command) ? `ramp-ledger ${command}` : 'ramp-ledger';

if (major >= oldest) {
  void import('./main.ts');
} else {
  process.stderr.write(
    `ramp-ledger needs Node ${oldest} or later, and this is Node ${process.versions.node}: run \`npm ci\`, which installs one, then ` +
      '`npm start` or `npm run ledger -- COMMAND`, which use it; where install scripts are off, `npm rebuild node --ignore-scripts=false` ' +
      'installs it.\n',
  );
  process.exitCode = 2;
}
