import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** An address of this machine from which nothing ever comes, not even a refusal. */
export type SilentAddress = { readonly host: string; readonly end: () => Promise<void> };

/** Listens, says where, and accepts nothing: whoever comes when its queue is full has its packets dropped (Linux). */
const LISTENER = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, server.address().port + '\\n');
    process.kill(process.pid, 'SIGSTOP');
  });
`;

/** More than a queue of one holds. */
const QUEUE = 4;

/** Takes an address and makes it silent. */
export const silentAddress = async (): Promise<SilentAddress> => {
  const child = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', (line: string) => resolve(Number(line)));
  });
  const queue = Array.from({ length: QUEUE }, () => connect({ host: '127.0.0.1', port }).on('error', () => undefined));
  // The first ones are in; those behind them see nothing any more.
  await Promise.race(queue.map((socket) => once(socket, 'connect')));
  return {
    host: `127.0.0.1:${port}`,
    end: async () => {
      for (const socket of queue) socket.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
};
