// Loaded into a ledger before it starts, in each of its threads (NODE_OPTIONS): while the pipe HANGING_DISK is there, a commit
// to the file HANGING_FILE, or another statement that HANGING_AT names, stands in a call of the system, as one to a disk that hangs
// does, until somebody opens the pipe for writing. So does whatever the thread HANGING_THREAD prepares, of any file; where that is
// `main`, whatever the first thread prepares or asks. Where HANGING_BEHIND names a folder, nothing hangs before a draft is in it. The file
// <pipe>.stands says that one does.
const { existsSync, openSync, readdirSync, writeFileSync } = require('node:fs');
const { isMainThread, threadName } = require('node:worker_threads');
const Database = require('better-sqlite3');

const standWhileItHangs = () => {
  const pipe = process.env.HANGING_DISK ?? '';
  const folder = process.env.HANGING_BEHIND ?? '';
  if (!existsSync(pipe) || (folder !== '' && !readdirSync(folder).some((name) => name.endsWith('.part')))) return;
  writeFileSync(`${pipe}.stands`, '');
  openSync(pipe, 'r');
};

const exec = Reflect.get(Database.prototype, 'exec');
const prepare = Reflect.get(Database.prototype, 'prepare');
Database.prototype.exec = function (sql) {
  const at = process.env.HANGING_AT ?? 'COMMIT';
  if (sql === at && this.name.endsWith(process.env.HANGING_FILE)) standWhileItHangs();
  return exec.call(this, sql);
};
Database.prototype.prepare = function (sql) {
  const isMain = isMainThread && process.env.HANGING_THREAD === 'main';
  if (isMain || (threadName !== '' && threadName === process.env.HANGING_THREAD)) standWhileItHangs();
  const statement = prepare.call(this, sql);
  if (!isMain) return statement;
  for (const name of ['all', 'get', 'iterate', 'run']) {
    /** @type {unknown} */
    const ask = Reflect.get(statement, name);
    if (typeof ask !== 'function') continue;
    /** @param {unknown[]} given @returns {unknown} */
    const standing = (...given) => {
      standWhileItHangs();
      /** @type {unknown} */
      const answer = Reflect.apply(ask, statement, given);
      return answer;
    };
    Reflect.set(statement, name, standing);
  }
  return statement;
};
