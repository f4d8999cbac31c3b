// Loaded into a ledger before it starts, in each of its threads (NODE_OPTIONS): while the pipe HANGING_DISK is there, a commit
// to the file HANGING_FILE, or another statement that HANGING_AT names, stands in a call of the system, as one to a disk that hangs
// does, until somebody opens the pipe for writing. The file <pipe>.stands says that one does.
const { existsSync, openSync, writeFileSync } = require('node:fs');
const Database = require('better-sqlite3');

const exec = Reflect.get(Database.prototype, 'exec');
Database.prototype.exec = function (sql) {
  const pipe = process.env.HANGING_DISK ?? '';
  const at = process.env.HANGING_AT ?? 'COMMIT';
  if (sql === at && this.name.endsWith(process.env.HANGING_FILE) && existsSync(pipe)) {
    writeFileSync(`${pipe}.stands`, '');
    openSync(pipe, 'r');
  }
  return exec.call(this, sql);
};
