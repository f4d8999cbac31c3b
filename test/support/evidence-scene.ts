import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, newOrderId, onRamp, signatureOf } from './payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from './running-ledger.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startWitness } from './test-witness.ts';
import { until } from './until.ts';

/** The statuses of the order whose evidence is looked at. */
const STATUSES = ['fiatPending', 'orderReceived', 'completed'];

/** A ledger that signs with a key of this test, an order with a few events among others, and its evidence. */
export type EvidenceScene = {
  readonly ledger: RunningLedger;
  readonly key: KeyObject;
  readonly dataDir: string;
  readonly orderId: string;
  readonly evidence: (orderId: string) => Promise<Response>;
  readonly zip: Buffer;
  /** LEDGER_WITNESSES: one that has cosigned the checkpoint. */
  readonly witnesses: string;
  readonly close: () => Promise<void>;
};

/** Makes the scene. Bodies are kept in both ways: as they came, and beside their data. */
export const evidenceScene = async (): Promise<EvidenceScene> => {
  const folder = temporaryFolder();
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  const witness = await startWitness();
  const ledger = await startLedger({
    env: {
      DATA_DIR: folder.path,
      LEDGER_ORIGIN: 'log.example/evidence',
      LEDGER_SIGNING_KEY: pem,
      LEDGER_WITNESSES: witness.setting,
    },
  });
  witness.know((await (await fetch(`${ledger.url}/v1/log/key`)).text()).trimEnd());
  const deliver = async (body: Buffer): Promise<void> => {
    const answer = await fetch(`${ledger.url}/v1/webhooks`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
    });
    expect(answer.status).to.equal(200);
  };
  const orderId = newOrderId('ord "quoted" é \u009b\u202e\u001b ');
  for (const status of STATUSES) {
    for (let other = 0; other < 3; other += 1) await deliver(bodyOf(onRamp()));
    const payload = onRamp({ orderId, status });
    await deliver(Buffer.from(JSON.stringify(payload, null, status === 'completed' ? 1 : 0)));
  }
  for (let other = 0; other < 5; other += 1) await deliver(bodyOf(onRamp()));
  const evidence = (id: string): Promise<Response> =>
    fetch(`${ledger.url}/v1/orders/${encodeURIComponent(id)}/evidence`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
  const count = await ledger.eventCount();
  // The newest checkpoint does not change any more once it is cosigned.
  await until(20_000, 'a cosignature', async () => {
    const note = await (
      await fetch(`${ledger.url}/v1/log/checkpoint`, { headers: { Authorization: `Bearer ${API_KEY}` } })
    ).text();
    return note.includes(`\n${count}\n`) && note.includes(`— ${witness.name} `) ? true : null;
  });
  const answer = await evidence(orderId);
  expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'application/zip']);
  return {
    ledger,
    key: createPrivateKey(pem),
    dataDir: folder.path,
    orderId,
    evidence,
    zip: Buffer.from(await answer.arrayBuffer()),
    witnesses: witness.setting,
    close: async () => {
      await witness.close();
      await ledger.close();
      folder.remove();
    },
  };
};
