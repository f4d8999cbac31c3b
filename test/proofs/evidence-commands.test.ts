import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { outFault } from '../../src/composition/commands/out-fault.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { cosignatureVerifier, verifierLine } from '../../src/proofs/signed-note.ts';
import { evidenceScene, type EvidenceScene } from '../support/evidence-scene.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';

const Report = t.type({
  holds: t.boolean,
  events: t.array(t.type({ signature: t.union([t.boolean, t.null]), digest: t.boolean, inclusion: t.boolean })),
  checkpoint: t.union([
    t.null,
    t.type({
      origin: t.string,
      size: t.number,
      rootHash: t.string,
      signature: t.boolean,
      witnesses: t.array(t.unknown),
    }),
  ]),
});

describe('the commands about evidence', () => {
  let scene: EvidenceScene;
  let env: Record<string, string>;
  before(async () => {
    scene = await evidenceScene();
    const key = scene.key.export({ format: 'pem', type: 'pkcs8' });
    env = {
      DATA_DIR: scene.dataDir,
      LEDGER_ORIGIN: 'log.example/evidence',
      LEDGER_SIGNING_KEY: key,
      LEDGER_WITNESSES: scene.witnesses,
    };
  });
  after(() => scene.close());

  const at = (name: string): string => join(scene.dataDir, name);
  const verified = async (file: string, ...args: readonly string[]) => {
    // It needs nothing of a ledger.
    const { status, out } = await runHere(['verify-evidence', '--json', file, ...args], { DATA_DIR: at('nothing') });
    return { status, report: right(Report.decode(JSON.parse(out))) };
  };

  it('write what the route answers, and a manifest beside it, only with --pii', async () => {
    const without = await runHere(['evidence', scene.orderId, '--out', at('e.zip')], env);
    expect([without.status, without.err.split('\n').length]).to.deep.equal([2, 2]);
    const { status, out, err } = await runHere(
      ['evidence', scene.orderId, '--out', at('e.zip'), '--pii', '--json'],
      env,
    );
    expect([status, err]).to.deep.equal([0, '']);
    expect(readFileSync(at('e.zip')).equals(scene.zip)).to.equal(true);
    const manifest: unknown = JSON.parse(readFileSync(at('e.zip.manifest.json'), 'utf8'));
    expect(manifest).to.deep.equal(JSON.parse(out));
    expect(manifest).to.include({ export: 'evidence', bytes: scene.zip.length, sha256: sha256(scene.zip), events: 3 });
    const again = await runHere(['evidence', scene.orderId, '--out', at('e.zip'), '--pii', '--json'], env);
    expect([again.status, again.err]).to.deep.equal([0, '']);
    const others = ['e.zip', 'e.zip.manifest.json'];
    const own = readdirSync(scene.dataDir).filter((name) => !others.includes(name));
    for (const name of own) expect(outFault(env, at(name)), name).to.match(/is the ledger's own|is no file/);
    const unknown = await runHere(['evidence', 'nobody', '--out', at('n.zip'), '--pii'], env);
    expect([unknown.status, unknown.err]).to.deep.equal([1, 'ramp-ledger: there is no order nobody\n']);
  });

  it('check it, with the secret in either form and the key that one knows', async () => {
    writeFileSync(at('good.zip'), scene.zip);
    const key = (await (await fetch(`${scene.ledger.url}/v1/log/key`)).text()).trimEnd();
    for (const [name, secrets, signature, status] of [
      ['alone', SECRET, true, 0],
      ['named', `other=${SECRET}x,primary=${SECRET}\n`, true, 0],
      ['unknown', `other=${SECRET}`, null, 0],
      ['wrong', `${SECRET}x`, false, 1],
    ] as const) {
      writeFileSync(at(name), secrets);
      const found = await verified(at('good.zip'), '--secret-file', at(name), '--key', key);
      expect(found.status, name).to.equal(status);
      expect(found.report.holds, name).to.equal(status === 0);
      expect(found.report.events, name).to.deep.include({
        revision: 0,
        type: 'OnRampFiatPending',
        signature,
        digest: true,
        inclusion: true,
      });
      expect(found.report.checkpoint).to.include({ origin: 'log.example/evidence', signature: true });
    }
    const another = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const foreign = await verified(at('good.zip'), '--key', another);
    expect([foreign.status, foreign.report.holds, foreign.report.checkpoint?.signature]).to.deep.equal([
      1,
      false,
      false,
    ]);
    const [witness = ''] = scene.witnesses.split(' ');
    const cosigned = await verified(at('good.zip'), '--witness', witness);
    expect([cosigned.status, cosigned.report.checkpoint?.witnesses.length]).to.deep.equal([0, 1]);
    const stranger = verifierLine(cosignatureVerifier('witness.example/other', scene.key));
    const missing = await verified('--witness', witness, '--witness', stranger, at('good.zip'));
    expect([missing.status, missing.report.holds]).to.deep.equal([1, false]);
    const said = await runHere(['verify-evidence', at('good.zip')], {});
    expect(said.out).to.include('the history is complete as of').and.include('\nit holds\n');
    expect(said.out).to.include('signed by the ledger, not proven: none of the 5 later events is of this order');
  });

  it('say no, with exit status 1, to what was altered or is no evidence', async () => {
    const key = (await (await fetch(`${scene.ledger.url}/v1/log/key`)).text()).trimEnd();
    for (const bytes of [Buffer.from('no ZIP'), scene.zip.subarray(1), Buffer.concat([scene.zip, Buffer.of(1)])]) {
      writeFileSync(at('bad.zip'), bytes);
      const { status, report } = await verified(at('bad.zip'));
      expect([status, report.holds]).to.deep.equal([1, false]);
    }
    expect((await runHere(['verify-evidence', at('bad.zip')], {})).out).to.include('IT DOES NOT HOLD');
    for (const [expected, ...args] of [
      // There is nothing wrong with how it was called: what it was to look at is not there.
      [1, at('none.zip')],
      [1, scene.dataDir],
      [2, at('good.zip'), '--key', 'no key'],
      [2, at('good.zip'), '--witness', key],
      [2, at('good.zip'), '--secret-file', at('none')],
      [2],
    ] as const) {
      const { status, out, err } = await runHere(['verify-evidence', ...args], {});
      expect([status, out, err.split('\n').length], args.join(' ')).to.deep.equal([expected, '', 2]);
    }
  });
});
