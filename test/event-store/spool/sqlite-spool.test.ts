import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { RequestId, SecretId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { entryBytes } from '../../../src/event-store/spool/entry-bytes.ts';
import { right } from '../../support/right.ts';
import { delivery, left, NOTE, spoolScene, theFirst, type SpoolScene } from './spool-scene.ts';

describe('sqlite-spool', () => {
  let scene: SpoolScene;
  beforeEach(async () => {
    scene = await spoolScene();
  });
  afterEach(() => scene.end());

  const put = async (n: number, key: string, body?: string): Promise<void> => {
    right(await scene.spool().put(delivery(n, body), key)());
  };

  /** The numbers of the deliveries that wait, in order; takes them out. */
  const drained = async (): Promise<readonly number[]> =>
    (await scene.drain()).map(({ verified }) => Number(verified.requestId.slice('request-'.length)));

  it('gives back exactly what was put, in the order of arrival, also after a restart', async () => {
    const deliveries = fc.array(
      fc.record({
        body: fc.uint8Array({ maxLength: 5_000 }),
        key: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((key) => !key.includes('\0')),
        receivedAt: fc.nat(10 ** 12),
        signature: fc.stringMatching(/^[0-9a-fA-F]{64}$/),
        secretId: fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => !id.includes('\0')),
        requestId: fc.stringMatching(/^[\w.:-]{8,128}$/),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(deliveries, fc.boolean(), async (all, restart) => {
        const expected = all.map(({ body, key, receivedAt, signature, secretId, requestId }) => ({
          key,
          verified: {
            body: Buffer.from(body),
            bodySha256: sha256(body),
            signature,
            secretId: branded<SecretId>(secretId),
            receivedAt: instantOf(receivedAt),
            requestId: branded<RequestId>(requestId),
          },
        }));
        const spool = scene.spool();
        const kept = await Promise.all(expected.map(({ verified, key }) => spool.put(verified, key)()));
        expect(kept.every(E.isRight)).to.equal(true);
        if (restart) await scene.reopen();
        const { depth, bytes, oldestReceivedAt } = scene.spool().state();
        expect({ depth, bytes, oldestReceivedAt }).to.deep.equal({
          depth: all.length,
          bytes: all.reduce((sum, { body }) => sum + entryBytes(body.length), 0),
          oldestReceivedAt: expected[0]?.verified.receivedAt ?? null,
        });
        const given = await scene.drain();
        expect(given.map(({ key, verified }) => ({ key, verified }))).to.deep.equal(expected);
        expect(given.map(({ seq }) => seq)).to.deep.equal(given.map(({ seq }) => seq).sort((a, b) => a - b));
        expect(scene.spool().state()).to.deep.include({ depth: 0, bytes: 0, oldestReceivedAt: null });
      }),
      { numRuns: 60 },
    );
  });

  it('is what a plain list would be, whatever is asked of it in whatever order', async () => {
    const keys = ['a', 'b', 'c'];
    const steps = fc.array(
      fc.oneof(
        fc.record({ step: fc.constant('put' as const), key: fc.constantFrom(...keys) }),
        fc.record({ step: fc.constant('putAside' as const), key: fc.constantFrom(...keys) }),
        fc.record({
          step: fc.constantFrom('done' as const, 'setAside' as const, 'reopen' as const, 'wrong' as const),
          key: fc.constantFrom(...keys),
        }),
      ),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const own = await spoolScene();
        const waiting: { n: number; key: string }[] = [];
        const aside: number[] = [];
        for (const [n, { step, key }] of all.entries()) {
          for (const one of keys) {
            const of = waiting.find((each) => each.key === one);
            const expected = of === undefined ? null : delivery(of.n);
            expect(right(await own.spool().firstOf(one)())?.verified ?? null).to.deep.equal(expected);
          }
          expect([...own.spool().keys()]).to.have.members([...new Set(waiting.map((one) => one.key))]);
          const first = right(await own.spool().firstOf(key)());
          const place = waiting.findIndex((one) => one.key === key);
          switch (step) {
            case 'put':
              right(await own.spool().put(delivery(n), key)());
              waiting.push({ n, key });
              break;
            case 'putAside':
              right(await own.spool().putAside(delivery(n), key, NOTE)());
              aside.push(n);
              break;
            case 'done':
              if (first !== null) own.spool().done(first);
              waiting.splice(place, first === null ? 0 : 1);
              break;
            case 'setAside': {
              if (first !== null) own.spool().setAside(first, NOTE);
              aside.push(...waiting.splice(place, first === null ? 0 : 1).map(({ n: gone }) => gone));
              break;
            }
            case 'reopen':
              await own.reopen();
              break;
            case 'wrong':
              if (first === null) break;
              own.spool().done({ ...first, seq: first.seq + 1 });
              own.spool().setAside({ ...first, seq: first.seq - 1 }, NOTE);
              own.spool().done({ ...first, key: `${key}?` });
          }
          expect(own.spool().state()).to.deep.include({
            depth: waiting.length,
            setAside: aside.length,
            bytes:
              waiting.reduce((sum, one) => sum + entryBytes(delivery(one.n).body.length), 0) +
              aside.reduce((sum, one) => sum + entryBytes(delivery(one).body.length), 0),
            oldestReceivedAt: waiting[0] === undefined ? null : delivery(waiting[0].n).receivedAt,
          });
          for (const one of keys) expect(own.spool().holds(one)).to.equal(waiting.some(({ key }) => key === one));
        }
        const entries = right(await own.spool().setAsideEntries()()).map(({ requestId }) => requestId);
        expect(entries).to.have.members(aside.map((n) => delivery(n).requestId));
        expect((await own.drain()).map(({ verified }) => verified)).to.deep.equal(waiting.map(({ n }) => delivery(n)));
        await own.end();
      }),
      { numRuns: 60 },
    );
  });

  it('counts a delivery by its key only once it is durable, and as long as one waits', async () => {
    const spool = scene.spool();
    const kept = spool.put(delivery(1), 'a')();
    expect(spool.holds('a')).to.equal(false);
    right(await kept);
    await put(2, 'a');
    expect(spool.holds('a')).to.equal(true);
    spool.done(await theFirst(spool));
    expect(spool.holds('a')).to.equal(true);
    spool.done(await theFirst(spool));
    expect(spool.holds('a')).to.equal(false);
  });

  it('keeps what was set aside, with why and when, and in nobody’s way', async () => {
    await put(1, 'a');
    await put(2, 'b');
    const first = await theFirst(scene.spool());
    scene.spool().setAside(first, NOTE);
    right(await scene.spool().putAside(delivery(3), 'c', NOTE)());
    const { bodySha256, receivedAt, requestId } = delivery(1);
    for (const open of [scene.spool, scene.reopen]) {
      const spool = await open();
      const entries = right(await spool.setAsideEntries()());
      expect(entries.map(({ key }) => key)).to.deep.equal(['a', 'c']);
      expect(entries[0]).to.deep.equal({ seq: first.seq, key: 'a', bodySha256, receivedAt, requestId, ...NOTE });
      expect(spool.state()).to.deep.include({ depth: 1, setAside: 2 });
      expect(spool.holds('a')).to.equal(false);
      expect([...spool.keys()]).to.deep.equal(['b']);
    }
  });

  it('keeps a body that is set aside once, however often it comes', async () => {
    const spool = scene.spool();
    const kept = await Promise.all([1, 2, 3].map((n) => spool.putAside(delivery(n, 'same'), 'a', NOTE)()));
    expect(kept.every(E.isRight)).to.equal(true);
    right(await spool.putAside(delivery(4, 'same'), 'a', NOTE)());
    // Though there is no room for another one.
    right(await (await scene.reopen({ mostBytes: entryBytes(4) })).putAside(delivery(5, 'same'), 'a', NOTE)());
    expect(scene.spool().state()).to.deep.include({ setAside: 1, bytes: entryBytes(4) });
  });

  it('keeps a body that is set aside once, also where the same one that waits is set aside before it is written', async () => {
    await put(1, 'a');
    const again = scene.spool().putAside(delivery(1), 'a', NOTE)();
    scene.spool().setAside(await theFirst(scene.spool()), NOTE);
    right(await again);
    expect(right(await scene.spool().setAsideEntries()())).to.have.length(1);
    expect(scene.spool().state()).to.deep.include({ depth: 0, setAside: 1 });
  });

  it('is full at its most bytes, what is on its way counted, and ready while the longest body fits', async () => {
    const size = entryBytes('body 1'.length);
    const spool = await scene.reopen({ mostBytes: 3 * size, longestBody: 'body 1'.length });
    const kept = await Promise.all([1, 2, 3, 4].map((n) => spool.put(delivery(n), 'a')()));
    expect(kept.map(({ _tag }) => _tag)).to.deep.equal(['Right', 'Right', 'Right', 'Left']);
    const full = { detail: `spool.db holds ${3 * size} of at most ${3 * size} bytes` };
    expect(left(await spool.put(delivery(5), 'a')())).to.deep.equal({ _tag: 'SpoolFull', ...full });
    expect(left(await spool.putAside(delivery(5), 'a', NOTE)())).to.deep.equal({ _tag: 'SpoolFull', ...full });
    expect(spool.state().ready).to.deep.equal({ ready: false, ...full });
    // What is set aside takes its room all the same.
    spool.setAside(await theFirst(spool), NOTE);
    expect(spool.state().ready).to.deep.equal({ ready: false, ...full });
    spool.done(await theFirst(spool));
    expect(spool.state().ready).to.deep.equal({ ready: true });
    right(await spool.put(delivery(6), 'a')());
    expect(await drained()).to.deep.equal([3, 6]);
  });

  it('answers what is on its way when it is closed, and nothing afterwards', async () => {
    const spool = scene.spool();
    const kept = spool.put(delivery(1), 'a')();
    const closed = spool.close();
    await closed;
    right(await kept);
    expect(left(await spool.put(delivery(2), 'a')())).to.deep.equal({
      _tag: 'SpoolFailed',
      detail: 'the spool is closed',
    });
    expect(left(await spool.firstOf('a')())._tag).to.equal('SpoolFailed');
    await scene.reopen();
    expect(await drained()).to.deep.equal([1]);
  });
});
