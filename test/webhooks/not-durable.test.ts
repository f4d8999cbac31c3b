import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StoreUnavailable } from '../../src/event-store/event-store.ts';
import { accepted, refused } from '../support/answers.ts';
import { deliver, type Answer } from '../support/exchange.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { pagesOf } from '../support/pages-of.ts';

const refusedForNow = (answer: Answer, code: string): void => {
  refused(answer, 503, code);
  expect(answer.headers['retry-after']).to.match(/^[1-9]\d*$/);
};

const AWAY: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'disk full at /secret/place' };

describe('a delivery that can not be made durable', () => {
  let away: 'no' | 'append' | 'read' = 'no';
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({
      wrapStore: (store) => ({
        ...store,
        append: (...args) => (away === 'append' ? TE.left(AWAY) : store.append(...args)),
        readStream: (...args) => (away === 'read' ? TE.left(AWAY) : store.readStream(...args)),
        streamPages: pagesOf((stream) => (away === 'read' ? TE.left(AWAY) : store.readStream(stream))),
      }),
    });
  });
  after(() => ledger.close());
  afterEach(() => {
    away = 'no';
  });

  it('is answered 503 with Retry-After, and taken when it comes again', async () => {
    for (const body of [bodyOf(onRamp()), bodyOf('no JSON')]) {
      away = 'append';
      const failures = ledger.failures.length;
      const answer = await deliver(ledger.url, body);
      refusedForNow(answer, 'not-durable');
      expect(answer.text).to.not.include('secret');
      expect(ledger.accessLines.at(-1)).to.include({ outcome: 'not-durable', proved: true });
      expect(ledger.failures.slice(failures)).to.deep.equal([`the event store: ${AWAY.detail}`]);
      away = 'no';
      const { stream } = accepted(await deliver(ledger.url, body));
      expect(await ledger.bytesAt(stream, 0)).to.deep.equal(body);
    }
  });

  it('is answered 503 where its history can not be read either', async () => {
    const body = bodyOf('unread');
    accepted(await deliver(ledger.url, body));
    away = 'read';
    refusedForNow(await deliver(ledger.url, body), 'not-durable');
  });

  it('is answered as ever where it repeats what is durable, since nothing has to be written', async () => {
    const body = bodyOf(onRamp());
    const { revision } = accepted(await deliver(ledger.url, body));
    away = 'append';
    expect(accepted(await deliver(ledger.url, body))).to.include({ outcome: 'duplicate', revision });
  });

  it('a wrong signature is 401 all the same', async () => {
    away = 'append';
    refused(await deliver(ledger.url, onRamp(), { signature: '0'.repeat(64) }), 401, 'signature-mismatch');
  });
});

describe('more deliveries than may be under way', () => {
  const MOST = 3;
  let ledger: RunningLedger;
  let goOn: () => void = () => undefined;
  let isHeld = false;
  let appending = 0;
  let onAppend: () => void = () => undefined;
  before(async () => {
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    ledger = await startLedger({
      settings: { mostUnderWay: MOST },
      wrapStore: (store) => ({
        ...store,
        append:
          (...args) =>
          async () => {
            if (!isHeld) return store.append(...args)();
            appending += 1;
            onAppend();
            await gate;
            return store.append(...args)();
          },
      }),
    });
  });
  after(() => ledger.close());

  it('are told to come again, and are taken when there is room', async () => {
    const known = bodyOf(onRamp());
    for (const outcome of ['recorded', 'duplicate']) {
      expect(accepted(await deliver(ledger.url, known)).outcome).to.equal(outcome);
    }
    isHeld = true;
    const full = new Promise<void>((resolve) => {
      onAppend = () => {
        if (appending === MOST) resolve();
      };
    });
    const held = Array.from({ length: MOST }, () => deliver(ledger.url, onRamp()));
    await full;
    const body = bodyOf(onRamp());
    refusedForNow(await deliver(ledger.url, body), 'overloaded');
    refusedForNow(await deliver(ledger.url, known), 'overloaded');
    expect(ledger.accessLines.at(-1)).to.include({ outcome: 'overloaded', proved: true });
    // Those that no room is needed for are answered as ever.
    refused(
      await deliver(ledger.url, body, { headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported-media-type',
    );
    // Only what is proved is counted, and takes a place.
    refused(await deliver(ledger.url, body, { signature: '0'.repeat(64) }), 401, 'signature-mismatch');
    goOn();
    for (const late of await Promise.all(held)) expect(accepted(late).outcome).to.equal('recorded');
    expect(accepted(await deliver(ledger.url, body)).outcome).to.equal('recorded');
    expect(await ledger.eventCount()).to.equal(MOST + 2);
  });

  it('leave the room again, however they end', async () => {
    for (let i = 0; i < MOST * 3; i += 1) {
      refused(await deliver(ledger.url, onRamp(), { signature: null }), 401, 'signature-missing');
      refused(await deliver(ledger.url, ' '.repeat(300_000)), 413, 'body-too-large');
      accepted(await deliver(ledger.url, onRamp()));
    }
  });
});
