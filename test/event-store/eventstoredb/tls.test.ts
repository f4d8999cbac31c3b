import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { examineServer } from '../../../src/event-store/eventstoredb/examine-server.ts';
import { tlsTrouble } from '../../../src/event-store/eventstoredb/tls-trouble.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { append, aStream, idsOf, openScene, SHORT, stores, unavailableDetail, type StoreScene } from './store-scene.ts';

const HOST = '127.0.0.1';

/** A server of TLS before the double: what comes over it goes on as it is. */
const overTls = async (port: number, key: Buffer, cert: Buffer): Promise<Server> => {
  const server = createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => {
    const onward = connect(port, HOST);
    for (const one of [socket, onward]) one.on('error', () => undefined);
    socket.pipe(onward).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, HOST);
  await once(server, 'listening');
  return server;
};

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens');
  return address.port;
};

describe('an EventStoreDB over TLS', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let scene: StoreScene;
  let open: ReturnType<typeof stores>;
  const servers: Server[] = [];

  /** A key and a certificate signed by itself, which is its own authority, for a host. */
  const certified = (name: string, host: string): { readonly key: Buffer; readonly cert: Buffer } => {
    const [key, cert] = [join(folder.path, `${name}.key`), join(folder.path, `${name}.crt`)];
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
    const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${host}`];
    execFileSync('openssl', ['req', ...made, ...named], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  };

  const served = async (name: string, host: string): Promise<number> => {
    const { key, cert } = certified(name, host);
    const server = await overTls(scene.double.port, key, cert);
    servers.push(server);
    return portOf(server);
  };

  const urlOf = (hosts: string, authority: string | null): string =>
    `esdb://ledger:sesame@${hosts}${authority === null ? '' : `?tlsCAFile=${join(folder.path, `${authority}.crt`)}`}`;

  const troubleOf = async (url: string): Promise<string> => {
    const store = open.command(url, SHORT);
    return unavailableDetail(E.toUnion(await store.readStream(aStream())()));
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    scene = await openScene();
    open = stores();
  });
  afterEach(async () => {
    await open.close();
    for (const server of servers.splice(0)) server.close();
    await scene.close();
    folder.remove();
  });

  it('is reached by its address too, which its certificate names', async () => {
    const port = await served('node', `IP:${HOST}`);
    const store = open.command(urlOf(`${HOST}:${port}`, 'node'));
    const stream = aStream();
    const event = anEvent();
    await append(store, stream, 'none', event);
    expect(idsOf(right(await store.readStream(stream)()))).to.deep.equal([event.id]);
  });

  it('is not believed with the certificate of another host, nor with one that nobody has signed, and says what to do', async () => {
    const other = await served('other', 'DNS:elsewhere.example');
    expect(await troubleOf(urlOf(`${HOST}:${other}`, 'other'))).to.match(
      /certificate is for another host.*EVENT_STORE_URL/,
    );
    const unsigned = await served('unsigned', `IP:${HOST}`);
    expect(await troubleOf(urlOf(`${HOST}:${unsigned}`, null))).to.match(/nobody .* has signed .*tlsCAFile=FILE/);
    expect(await troubleOf(urlOf(`${HOST}:${unsigned}`, 'other'))).to.match(/nobody .* has signed .*tlsCAFile=FILE/);
  });

  it('is told apart from a server without TLS', async () => {
    certified('node', `IP:${HOST}`);
    expect(await troubleOf(urlOf(`${HOST}:${scene.double.port}`, 'node'))).to.match(/speaks no TLS.*tls=false/);
  });

  it('has what is wrong with each node of a cluster told by a look at it', async () => {
    const other = await served('other', 'DNS:elsewhere.example');
    const url = urlOf(`${HOST}:${other},${HOST}:${scene.double.port}`, 'other');
    const examination = right(examineServer({ url, streamPrefix: '', dataDir: '/nowhere' }));
    const looked = await examination.newest(1)();
    await examination.close();
    const [found, ...nodes] = (E.isLeft(looked) ? looked.left.detail : '').split('\n');
    expect(found).to.match(/Failed to discover/);
    expect(nodes).to.have.length(2);
    expect(nodes[0]).to.match(new RegExp(`^${HOST}:${other}: .*another host`));
    expect(nodes[1]).to.match(new RegExp(`^${HOST}:${scene.double.port}: .*speaks no TLS`));
  });

  it('has a certificate that is out of date named as that', () => {
    for (const said of ['Error: certificate has expired', 'certificate is not yet valid'])
      expect(tlsTrouble(said)).to.match(/out of date: renew it/);
    expect(tlsTrouble('14 UNAVAILABLE: connect ECONNREFUSED')).to.equal(null);
  });
});
