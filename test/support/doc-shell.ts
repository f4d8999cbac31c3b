import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { repositoryPath } from './repository-file.ts';
import { folderOnDisk } from './temporary-folder.ts';
import { until } from './until.ts';

/** A reader's terminals in a checkout of their own, whose data is nobody else's. */
export type DocShell = {
  /** Types in a block, in the one terminal whose variables last; resolves with all that it printed. */
  readonly run: (command: string) => Promise<string>;
  /** Starts a block in a terminal of its own; resolves when it is listening. */
  readonly start: (command: string) => Promise<void>;
  /** Ends all that was started and takes the folder away. */
  readonly close: () => Promise<void>;
};

type Terminal = ChildProcessByStdio<Writable, Readable, Readable>;

/** What a checkout consists of for those who run it. */
const CHECKOUT = ['package.json', 'node_modules', 'src', 'projections', 'docs'];
/** The ports of the documents: the ledger's default, the sandbox's, and that of a witness. */
const PORTS = ['8080', '8090', '8100'];
const BLOCK_MS = 60_000;

/** Taken at once, so that no two are the same. */
const freePorts = (count: number): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  ).then((servers) =>
    Promise.all(
      servers.map(async (server) => {
        const address = server.address();
        server.close();
        await once(server, 'close');
        if (address === null || typeof address === 'string') throw new Error('no port is free');
        return String(address.port);
      }),
    ),
  );

/** Exchanges ports where they stand as such: the same digits in a digest are left alone. */
const withPorts = (text: string, from: readonly string[], to: readonly string[]): string =>
  text.replace(/(127\.0\.0\.1:|\bport )(\d+)/g, (all, before: string, port: string) => {
    const other = to[from.indexOf(port)];
    return other === undefined ? all : before + other;
  });

/** A terminal whose shell could not be started has no process. */
const isOpen = ({ pid, exitCode, signalCode }: Terminal): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

const endGroup = (terminal: Terminal): void => {
  if (terminal.pid === undefined || !isOpen(terminal)) return;
  try {
    process.kill(-terminal.pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
};

const everyTerminal = new Set<Terminal>();
process.once('exit', () => {
  for (const terminal of everyTerminal) endGroup(terminal);
});

/**
 * Opens a terminal as a reader has one after `npm ci`. The ports that documents name are exchanged for free ones in what is
 * typed, and back in what is printed. A command that fails ends the terminal, so that no example fails unseen.
 */
export const openDocShell = async (): Promise<DocShell> => {
  const checkout = folderOnDisk();
  const outside = folderOnDisk();
  for (const part of CHECKOUT) symlinkSync(repositoryPath(part), join(checkout.path, part));
  const ports = await freePorts(PORTS.length);
  const withFreePorts = (text: string): string => withPorts(text, PORTS, ports);
  const withShownPorts = (text: string): string => withPorts(text, ports, PORTS);
  const env = {
    PATH: process.env['PATH'],
    HOME: outside.path,
    LC_ALL: 'C.UTF-8',
    PORT: ports[0],
    npm_config_logs_max: '0',
    npm_config_update_notifier: 'false',
  };
  const terminals: Terminal[] = [];

  const open = (): { readonly terminal: Terminal; readonly printed: () => string } => {
    const terminal = spawn('bash', ['--noprofile', '--norc'], {
      cwd: checkout.path,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    terminals.push(terminal);
    everyTerminal.add(terminal);
    let text = '';
    for (const stream of [terminal.stdout, terminal.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => (text += more));
    }
    // Without bash there is no terminal, and it may have ended with what was typed before: who waits for it says so.
    terminal.on('error', () => undefined);
    terminal.stdin.on('error', () => undefined);
    terminal.stdin.write('exec 2>&1; set -eo pipefail\n');
    return { terminal, printed: () => text };
  };

  /** What a terminal prints up to a mark, from a place on. */
  const untilPrinted = async (
    { terminal, printed }: ReturnType<typeof open>,
    mark: string,
    from: number,
  ): Promise<string> => {
    const text = await until(BLOCK_MS, `an example to end`, () => {
      return Promise.resolve(printed().includes(mark, from) || !isOpen(terminal) ? printed().slice(from) : null);
    });
    if (terminal.pid === undefined) throw new Error('bash is needed, and could not be started');
    if (!text.includes(mark)) throw new Error(`it failed, and printed:\n${withShownPorts(text)}`);
    return text.slice(0, text.indexOf(mark));
  };

  const reader = open();
  let blocks = 0;
  return {
    run: async (command) => {
      blocks += 1;
      const file = join(outside.path, `block-${blocks}.sh`);
      writeFileSync(file, `${withFreePorts(command)}\n`);
      const mark = randomUUID();
      const from = reader.printed().length;
      reader.terminal.stdin.write(`. ${file} </dev/null\necho ${mark}\n`);
      const text = await untilPrinted(reader, mark, from);
      return withShownPorts(text)
        .replaceAll('\r\n', '\n')
        .replace(/^\n+|\s+$/g, '');
    },
    start: async (command) => {
      const other = open();
      other.terminal.stdin.end(`${withFreePorts(command)}\n`);
      await untilPrinted(other, '"msg":"listening"', 0);
    },
    close: async () => {
      await Promise.all(
        terminals.map(async (terminal) => {
          const closed = isOpen(terminal) ? once(terminal, 'close') : null;
          endGroup(terminal);
          await closed;
          everyTerminal.delete(terminal);
        }),
      );
      checkout.remove();
      outside.remove();
    },
  };
};
