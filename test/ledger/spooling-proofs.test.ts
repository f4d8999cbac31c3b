import Database from 'better-sqlite3';
import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { AWAY, deliveryOf, isOf, of, SpoolingScene } from '../support/spooling-scene.ts';

describe('spooling: proofs of what waits', () => {
  let scene: SpoolingScene;
  beforeEach(async () => {
    scene = new SpoolingScene();
    await scene.start();
  });
  afterEach(() => scene.end());

  it('appends what waited under the secret that proves it now, whatever name stands in the file', async () => {
    await scene.spooled([of('a')]);
    await scene.stop();
    const other = new Database(scene.file());
    other.exec("UPDATE deliveries SET secret_id = 'of-then'");
    other.close();
    scene.failureOf = () => null;
    await scene.start();
    await scene.isDrained();
    expect(scene.asked.at(-1)?.verified.secretId).to.equal(deliveryOf(bodyOf('')).verified.secretId);
  });

  it('never appends a body that is not the one that was received', async () => {
    scene.failures = [AWAY, AWAY];
    await scene.outcome(of('a'));
    await scene.outcome(of('b'));
    await scene.backsOff(1);
    await scene.stop();
    const other = new Database(scene.file());
    other.exec(
      "UPDATE deliveries SET body = CAST(replace(CAST(body AS TEXT), '100', '900') AS BLOB) WHERE key = 'order-a'",
    );
    other.close();
    const before = scene.asked.length;
    await scene.start();
    await scene.isDrained();
    expect(scene.asked.length).to.equal(before + 1);
    expect(scene.logged()).to.deep.equal(['order-b OnRampFiatPending']);
    expect(right(await scene.spool.setAsideEntries()()).map(({ problem }) => problem)).to.deep.equal([
      'the spool is damaged: the body is not the one that was received',
    ]);
  });

  it('appends nothing that no secret proves, whoever wrote it into the spool, and sets it aside while others pass', async () => {
    await scene.spooled([of('a'), of('forged')]);
    await scene.stop();
    const body = bodyOf(onRamp({ orderId: 'forged', status: 'completed' }));
    const other = new Database(scene.file());
    // Whoever writes the file knows the digest of what they write, and no secret.
    other.prepare("UPDATE deliveries SET body = ?, body_sha256 = ? WHERE key = 'order-forged'").run(body, sha256(body));
    other.close();
    scene.failureOf = () => null;
    await scene.start();
    await scene.goesOnUntil('the other to be appended', () => scene.logged().length === 1);
    for (let i = 0; scene.spool.state().setAside === 0; i += 1) {
      expect(i).to.be.lessThan(1_000);
      await scene.outcome(of(`live ${i}`));
      const before = scene.proofs;
      await scene.goesOnUntil('another try', () => scene.proofs > before || scene.spool.state().setAside > 0);
    }
    await scene.isDrained();
    expect(
      scene.asked.every(
        (delivery) => !isOf(delivery, 'forged') || delivery.verified.signature === signatureOf(delivery.verified.body),
      ),
    ).to.equal(true);
    expect(scene.logged().filter((line) => line.includes('forged'))).to.deep.equal([]);
    expect(right(await scene.spool.setAsideEntries()()).map(({ problem }) => problem)).to.deep.equal([
      'the event store took others, and not this one in 20 tries: no secret that is configured, retired ones included, proves its signature',
    ]);
  });

  it('keeps what waits while no secret can be read, and appends it when they are there again', async () => {
    await scene.spooled([of('a'), of('b')]);
    [scene.isSecretKnown, scene.failureOf] = [false, () => null];
    for (let i = 0; i < 100; i += 1) {
      scene.goOn();
      await new Promise(setImmediate);
    }
    expect(scene.spool.state()).to.deep.include({ depth: 2, setAside: 0 });
    expect(scene.logged()).to.deep.equal([]);
    scene.isSecretKnown = true;
    await scene.goesOnUntil('both to be appended', () => scene.logged().length === 2);
  });

  it('tries few at a time of many that no secret proves, and all once one is proved', async () => {
    const many = 500;
    await scene.spooled(Array.from({ length: many }, (_, i) => of(`many ${i}`)));
    [scene.isSecretKnown, scene.failureOf] = [false, () => null];
    const first = scene.proofs;
    await scene.goesOnUntil('each to be tried', () => scene.proofs >= first + many);
    const isAtRest = async (): Promise<void> => {
      for (let turns = 0; turns < 2 * many; turns += 1) await new Promise(setImmediate);
    };
    await isAtRest();
    const tries: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const before = scene.proofs;
      scene.goOn();
      await isAtRest();
      tries.push(scene.proofs - before);
    }
    expect(Math.max(...tries)).to.be.within(1, 200);
    scene.isSecretKnown = true;
    await scene.goesOnUntil('one to be tried', () => scene.logged().length > 0);
    await scene.isDrained();
    expect(scene.logged()).to.have.length(many);
  });
});
