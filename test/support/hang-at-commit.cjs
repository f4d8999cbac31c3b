// Loaded into a ledger before it starts, in each of its threads (NODE_OPTIONS): while the pipe HANGING_DISK is there, a commit
// to the file HANGING_FILE stands in a call of the system, as one to a disk that hangs does, until somebody opens the pipe for writing.
const { existsSync, openSync } = require('node:fs');
const Database = require('better-sqlite3');

const exec = Reflect.get(Database.prototype, 'exec');
Database.prototype.exec = function (sql) {
  const pipe = process.env.HANGING_DISK ?? '';
  if (sql === 'COMMIT' && this.name.endsWith(process.env.HANGING_FILE) && existsSync(pipe)) openSync(pipe, 'r');
  return exec.call(this, sql);
};
