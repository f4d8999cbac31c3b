// `npm run check`: every script `check:…` of package.json, side by side, since none of them keeps all cores busy. What one
// of them says is printed when it has ended.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import packageJson from '../package.json' with { type: 'json' };

/** @param {string} script @returns {Promise<boolean>} whether it found nothing */
const passes = (script) =>
  new Promise((resolve) => {
    let said = '';
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (said += text));
    child.once('close', (status) => {
      process.stdout.write(status === 0 ? said : `${said}FAILED npm run ${script}\n`);
      resolve(status === 0);
    });
  });

const waiting = Object.keys(packageJson.scripts).filter((script) => script.startsWith('check:'));
const lane = async () => {
  let all = true;
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift())
    all = (await passes(script)) && all;
  return all;
};
const lanes = await Promise.all(Array.from({ length: availableParallelism() }, lane));
process.exitCode = lanes.every(Boolean) ? 0 : 1;
