#!/usr/bin/env node
// Plain JavaScript of Node 12, and no static imports: on an old Node the check must come before anything that it can't load
// (it can't read TypeScript, and better-sqlite3 13 takes down Node 20 without a message).
const oldest = 24;
const major = Number(process.versions.node.split('.')[0]);

// Arguments may hold passwords and personal data (`migrate --to URL`, `upstream --data JSON`, `audit --q E-MAIL`), and
// lists of processes show them to everybody: they go before anything is loaded, which takes a while.
const command = process.argv.slice(2, 3).join('');
process.title = /^[a-z]+$/.test(command) ? `ramp-ledger ${command}` : 'ramp-ledger';

// Node would open its debugger to whoever is on this machine, with all that the process knows; what rotates logs often sends it.
process.on('SIGUSR1', () => undefined);

// A server that is told to stop while it is still being loaded ends in order too: the signal alone would end it with another
// status. The system gives the first process of a container, as `docker run IMAGE COMMAND` starts it, no signal that it does
// not listen for: a command would go on to its end.
const isServer = ['serve', 'demo', 'sandbox'].includes(command);
const ends = [['SIGTERM', isServer ? 0 : 143], ['SIGINT', isServer ? 0 : 130], ...(isServer ? [] : [['SIGHUP', 129]])];
// What a command has asked the network for may keep Node's own end waiting.
const endWith = (status) =>
  import('./loading/exit-process.ts').then(({ exitProcess }) => exitProcess(status)).catch(() => process.exit(status));
for (const [signal, status] of isServer || process.pid === 1 ? ends : []) {
  process.on(signal, () => {
    // Where the command itself listens already, it is the one to end.
    if (process.listenerCount(signal) > 1) return;
    if (isServer) process.exit(status);
    else void endWith(status);
  });
}

// The secrets are read again by it while the ledger serves; before and behind that, it would be its end.
if (command === 'serve') process.on('SIGHUP', () => undefined);

const start = async () => {
  const { enableCompileCache } = await import('node:module');
  const { fileURLToPath } = await import('node:url');
  // Compiled code is kept among the packages, where only those can change it who can change the program: a command then
  // takes half the processor time to start. Where nothing can be written there, it takes what it takes.
  const { directory } = enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/ramp-ledger', import.meta.url)),
  );
  // Threads have a cache of their own.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;
  const { resolveQuickly } = await import('./loading/quick-resolution.ts');
  resolveQuickly();
  await import('./main.ts');
};

if (major >= oldest) {
  void start();
} else {
  process.stderr.write(
    `ramp-ledger needs Node ${oldest} or later, and this is Node ${process.versions.node}: run \`npm ci\`, which installs one, then ` +
      '`npm start` or `npm run ledger -- COMMAND`, which use it; where install scripts are off, `npm rebuild node --ignore-scripts=false` ' +
      'installs it.\n',
  );
  process.exitCode = 2;
}
