import { expect } from 'chai';
import type { Answer } from '../support/exchange.ts';
import { signatureOf } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { chunk, head, LAST_CHUNK, openWire, type Wire } from '../support/wire.ts';

/** A signed delivery as its bytes, that asks for nothing of its connection unless `more` has headers that do. */
export const delivery = (body: Buffer, version = '1.1', more: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(`POST /v1/webhooks HTTP/${version}`, {
        host: 'ledger',
        'content-type': 'application/json',
        'content-length': body.length,
        'x-service-signature': signatureOf(body),
        ...more,
      }),
    ),
    body,
  ]);

/** A signed delivery in one chunk, that asks for its connection to be kept. */
export const inChunks = (body: Buffer, coding: string, version = '1.1'): Buffer =>
  Buffer.concat([
    Buffer.from(
      head(`POST /v1/webhooks HTTP/${version}`, {
        host: 'ledger',
        'content-type': 'application/json',
        'transfer-encoding': coding,
        'x-service-signature': signatureOf(body),
        connection: 'keep-alive',
      }),
    ),
    chunk(body),
    Buffer.from(LAST_CHUNK),
  ]);

/** The first answer; where there is none, the test fails. */
export const first = (answers: readonly Answer[]): Answer => answers[0] ?? expect.fail('no answer');

/** A ledger for the tests of one suite, and wires to it, which are cut behind each test; nothing that nobody expects may have been logged. */
export const ledgerAtWires = (): { readonly ledger: () => RunningLedger; readonly open: () => Wire } => {
  let ledger: RunningLedger;
  let wires: Wire[] = [];
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());
  afterEach(() => {
    for (const wire of wires) wire.cut();
    wires = [];
    expect(ledger.unexpected).to.deep.equal([]);
  });
  return {
    ledger: () => ledger,
    open: () => {
      const wire = openWire(ledger.url);
      wires.push(wire);
      return wire;
    },
  };
};
