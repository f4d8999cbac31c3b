import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { WorkerClient } from '../../src/threads/worker-client.ts';
import { within } from '../support/within.ts';
import { testProtocol, testThread } from './test-protocol.ts';

const LONG = 10_000;

describe('a thread that is asked', () => {
  it('answers each question, in whatever order, and tells what it hears', async () => {
    const heard = Promise.withResolvers<string>();
    const client = new WorkerClient(testThread(), { onNews: ({ text }) => heard.resolve(text) });
    const never = client.ask({ _tag: 'Wait' });
    const answers = await Promise.all(['a', 'b'].map((text) => client.ask({ _tag: 'Echo', text })));
    expect(answers).to.deep.equal([E.right({ _tag: 'Echoed', text: 'a' }), E.right({ _tag: 'Echoed', text: 'b' })]);
    client.tell({ _tag: 'Hear', text: 'c' });
    expect(await within(LONG, heard.promise, 'its news')).to.equal('c');
    await client.close();
    expect(E.isLeft(await never)).to.equal(true);
  });

  it('answers a question that fails with its failure, and lives on', async () => {
    const client = new WorkerClient(testThread());
    expect(await client.ask({ _tag: 'Throw' })).to.deep.equal(
      E.left({ _tag: 'NoAnswer', detail: 'Error: thrown', why: 'failed' }),
    );
    expect(E.isRight(await client.ask({ _tag: 'Echo', text: 'a' }))).to.equal(true);
    await client.close();
  });

  it('that dies answers all that waits, and all that comes, with why', async () => {
    const ended = Promise.withResolvers<string>();
    const client = new WorkerClient(testThread(), { onEnd: ended.resolve });
    const waiting = client.ask({ _tag: 'Wait' });
    const died = await client.ask({ _tag: 'Die' });
    const gone = { _tag: 'NoAnswer', detail: 'thread test has ended' } as const;
    expect([died, await waiting, await client.ask({ _tag: 'Echo', text: 'a' })]).to.deep.equal([
      E.left({ ...gone, why: 'failed' }),
      E.left({ ...gone, why: 'failed' }),
      E.left({ ...gone, why: 'not asked' }),
    ]);
    expect(await ended.promise).to.equal('thread test has ended');
    await client.close();
  });

  it('that says what is no message is ended', async () => {
    const file = new URL(
      `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage({ _tag: 'Unheard of' }));")}`,
    );
    const client = new WorkerClient({ name: 'stray', file, data: null, protocol: testProtocol });
    expect(await client.ask({ _tag: 'Echo', text: 'a' })).to.deep.equal(
      E.left({ _tag: 'NoAnswer', detail: 'thread stray said what is no message', why: 'not asked' }),
    );
    await client.close();
  });

  it('that is ended while it is loaded ends behind that: a native module that it loads just then would abort the process', async () => {
    const loaded = new Int32Array(new SharedArrayBuffer(4));
    const file = new URL(
      `data:text/javascript,${encodeURIComponent(
        "import { parentPort, workerData } from 'node:worker_threads'; for (const until = Date.now() + 200; Date.now() < until;);" +
          "workerData[0] = 1; parentPort.on('message', () => undefined); parentPort.postMessage({ _tag: 'Ready' });",
      )}`,
    );
    await new WorkerClient({ name: 'slow', file, data: loaded, protocol: testProtocol }).terminate();
    expect(loaded[0]).to.equal(1);
  });

  it('that dies before it serves was not asked', async () => {
    const file = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('no start')")}`);
    const client = new WorkerClient({ name: 'stillborn', file, data: null, protocol: testProtocol });
    expect(await client.ask({ _tag: 'Echo', text: 'a' })).to.deep.equal(
      E.left({ _tag: 'NoAnswer', detail: 'thread stillborn failed: no start', why: 'not asked' }),
    );
    await client.close();
  });

  for (const [what, question, data] of [
    ['closes, and has connections left', 'Wait', 'closes'],
    ['never closes', 'Wait', 'never closes'],
    ['does nothing but compute', 'Spin', 'closes'],
  ] as const) {
    it(`ends within its bound where it ${what}`, async () => {
      const ended = Promise.withResolvers<string>();
      const client = new WorkerClient(testThread(data), { onEnd: ended.resolve });
      await client.ask({ _tag: 'Echo', text: 'it is there' });
      const waiting = client.ask({ _tag: question });
      await within(LONG, client.close(data === 'closes' && question === 'Wait' ? LONG : 50), 'the end');
      await within(LONG, ended.promise, 'the end of the thread');
      expect(E.isLeft(await waiting)).to.equal(true);
    }).timeout(30_000);
  }
});
