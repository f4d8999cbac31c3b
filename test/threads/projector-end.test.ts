import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { LastingThread, type ThreadState } from '../../src/threads/lasting-thread.ts';
import { projectorProtocol, type ProjectorNews, type ProjectorOptions } from '../../src/threads/projector-message.ts';
import { IDENTITY } from '../proofs/keeper-scene.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/** Takes connections, and says nothing to whoever asks. */
const silentServer = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined).resume()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    isAsked: () => sockets.size > 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

describe('the thread that projects', () => {
  it('ends without a word of the tree of a log on a server that it waits for', async () => {
    const folder = temporaryFolder();
    const server = await silentServer();
    const told: (ThreadState | ProjectorNews)[] = [];
    const data: ProjectorOptions = {
      location: {
        kind: 'eventstoredb',
        url: `esdb://127.0.0.1:${server.port}?tls=false`,
        streamPrefix: '',
        dataDir: folder.path,
      },
      readModelFile: `${folder.path}/read-models.db`,
      timeZone: 'UTC',
      log: {
        origin: IDENTITY.origin,
        signingKey: IDENTITY.signingKey.export({ format: 'pem', type: 'pkcs8' }),
        retiredKey: null,
        witnesses: [],
      },
    };
    const file = new URL('../../src/threads/projector-thread.ts', import.meta.url);
    const thread = new LastingThread(
      { name: 'projections', file, data, protocol: projectorProtocol },
      (_, state) => told.push(state),
      (news) => told.push(news),
    );
    thread.current();
    try {
      await until(20_000, 'a question to the server', () => Promise.resolve(server.isAsked() ? true : null));
    } finally {
      await thread.close();
      server.close();
      folder.remove();
    }
    expect(told.filter(({ _tag }) => _tag === 'LogFailed' || _tag === 'Down')).to.deep.equal([]);
  }).timeout(30_000);
});
