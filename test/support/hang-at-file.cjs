// Loaded into a command before it starts, and into each process that it starts (NODE_OPTIONS): whoever reads a file, or asks a database,
// whose name is among HANGING_FILES stands in a call of the system, as at a disk that hangs: nobody ever writes to the pipe HANGING_DISK.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { basename } = require('node:path');
const Database = require('better-sqlite3');

const hanging = (process.env.HANGING_FILES ?? '').split(',');

/** @param {unknown} path */
const standAt = (path) => {
  if (typeof path === 'string' && hanging.includes(basename(path))) fs.openSync(process.env.HANGING_DISK ?? '', 'r');
};

const { readFileSync } = fs;
/** @param {unknown[]} given @returns {unknown} */
const standing = (...given) => {
  standAt(given[0]);
  /** @type {unknown} */
  const read = Reflect.apply(readFileSync, fs, given);
  return read;
};
Reflect.set(fs, 'readFileSync', standing);
syncBuiltinESMExports();

const transaction = Reflect.get(Database.prototype, 'transaction');
Database.prototype.transaction = function (work) {
  standAt(this.name);
  return transaction.call(this, work);
};
