import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import type { RequestId, SecretId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordKnowingQuarantine } from '../../src/ledger/record-knowing-quarantine.ts';
import { importDeliveries, type ImportDeps } from '../../src/webhooks/import-deliveries.ts';
import { linesOf } from '../../src/webhooks/lines-of.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { right } from '../support/right.ts';

const NOW = instantOf(Date.UTC(2026, 0, 1));
const RECEIVED = '2024-05-01T10:00:00.000Z';

const settings = { signatureHeader: 'X-Sig', signedForm: 'bytes', maxBodyBytes: 2_000, maxAgeSeconds: null } as const;

const signed = (body: Buffer): object => ({
  body: body.toString(),
  signature: signatureOf(body),
  receivedAt: RECEIVED,
});

const scene = () => {
  const store = inMemoryEventStore(() => NOW);
  const lines: number[] = [];
  let requests = 10_000_000;
  const record = recordKnowingQuarantine({ store, recent: new RecentOrders(100), quarantine: new KnownQuarantine() });
  const run = (texts: readonly (string | Buffer)[], recordedAs: ImportDeps['record'] = record) =>
    importDeliveries({
      settings,
      secrets: [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
      newRequestId: () => branded<RequestId>(`request-${(requests += 1)}`),
      now: () => NOW,
      record: recordedAs,
      onLine: (line) => lines.push(line),
    })(ofBytes(Buffer.concat(texts.flatMap((text) => [Buffer.from(text), Buffer.from('\n')]))));
  return { store, record, run, lines };
};

const ofText = (text: string, size?: number): AsyncGenerator<Uint8Array, void> => ofBytes(Buffer.from(text), size);

async function* ofBytes(bytes: Buffer, size = 7): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('an import of past deliveries', () => {
  it('refuses what is said to have been received in the future, beyond what clocks differ by', async () => {
    const at = (receivedAt: string): string =>
      JSON.stringify({ ...signed(bodyOf(onRamp({ orderId: receivedAt.slice(17, 19) }))), receivedAt });
    const { run } = scene();
    const report = right(
      await run([at('2026-01-01T00:01:00.000Z'), at('2026-01-01T00:01:00.001Z'), at('2030-01-01T00:00:00Z')]),
    );
    expect(report).to.include({ recorded: 1 });
    expect(report.refused).to.deep.equal([
      { line: 2, code: 'received-in-future' },
      { line: 3, code: 'received-in-future' },
    ]);
  });

  it('decides each as if it arrived when it was received, and says of each refused line why', async () => {
    const { store, run, lines } = scene();
    const [first, other, conflict] = [
      bodyOf(onRamp({ orderId: 'a' })),
      bodyOf(onRamp({ orderId: 'a', status: 'completed' })),
      bodyOf(onRamp({ orderId: 'a', fiat: 101 })),
    ];
    const torn = Buffer.from([0x7b, 0xff, 0x7d]);
    const report = right(
      await run([
        JSON.stringify(signed(first)),
        JSON.stringify(signed(other)),
        JSON.stringify(signed(first)),
        '',
        JSON.stringify(signed(conflict)),
        JSON.stringify({ bodyBase64: torn.toString('base64'), signature: signatureOf(torn), receivedAt: RECEIVED }),
        JSON.stringify({ ...signed(first), signature: '0'.repeat(64) }),
        JSON.stringify({ ...signed(first), signature: 'abc' }),
        JSON.stringify({ ...signed(first), signature: undefined }),
        JSON.stringify({ ...signed(first), receivedAt: 'yesterday' }),
        JSON.stringify({ ...signed(first), bodyBase64: '' }),
        'no JSON',
        JSON.stringify(signed(Buffer.from(`"${'x'.repeat(2_000)}"`))),
        `"${'x'.repeat(20_000)}"`,
      ]),
    );
    expect(report).to.deep.equal({
      recorded: 2,
      duplicates: 1,
      conflicts: 1,
      quarantined: 1,
      refused: [
        { line: 7, code: 'signature-mismatch' },
        { line: 8, code: 'signature-malformed' },
        { line: 9, code: 'signature-missing' },
        { line: 10, code: 'line-unreadable' },
        { line: 11, code: 'line-unreadable' },
        { line: 12, code: 'line-unreadable' },
        { line: 13, code: 'body-too-large' },
        { line: 14, code: 'body-too-large' },
      ],
    });
    expect(lines.at(-1)).to.equal(14);
    const events = store.recorded();
    expect(events.filter(({ stream }) => stream === 'order-a').map(({ type }) => type)).to.deep.equal([
      'OnRampFiatPending',
      'OnRampCompleted',
      'ConflictingDelivery',
    ]);
    for (const { metadata } of events) expect(parseMetadata(metadata)?.receivedAt).to.equal(RECEIVED);
  });

  it('takes what was signed from a line that says one thing, and refuses the others by their number', async () => {
    const { store, run } = scene();
    const [first, other] = [bodyOf(onRamp({ orderId: 'a' })), bodyOf(onRamp({ orderId: 'b' }))];
    const line = JSON.stringify(signed(first));
    const twice = (member: string, value: string): string =>
      `{${JSON.stringify(member)}:${JSON.stringify(value)},${line.slice(1)}`;
    const broken = Buffer.from(line);
    broken[broken.indexOf('signature') - 10] = 0xff;
    const half = { ...signed(Buffer.from('{"orderId":"\uFFFD"}')), body: '{"orderId":"\uD800"}' };
    const report = right(
      await run([
        `\uFEFF${line}\r`,
        twice('body', other.toString()),
        twice('receivedAt', '2020-01-01T00:00:00.000Z'),
        twice('signature', signatureOf(other)),
        line.slice(0, -5),
        `${line}\0`,
        `{"deep":${'['.repeat(3_000)}${']'.repeat(3_000)},${line.slice(1)}`,
        JSON.stringify(half),
        broken,
        line,
      ]),
    );
    expect(report).to.deep.equal({
      recorded: 1,
      duplicates: 1,
      conflicts: 0,
      quarantined: 0,
      refused: [2, 3, 4, 5, 6, 7, 8, 9].map((at) => ({ line: at, code: 'line-unreadable' })),
    });
    expect(store.recorded()).to.have.length(1);
  });

  it('brings the deliveries of an order in by the order of lines, and changes nothing when it is repeated', async () => {
    const { store, run } = scene();
    const bodies = Array.from({ length: 40 }, (_, i) => bodyOf(onRamp({ orderId: `o${i % 4}`, status: `s${i}` })));
    const texts = bodies.map((body) => JSON.stringify(signed(body)));
    expect(right(await run(texts))).to.include({ recorded: 40, duplicates: 0 });
    const statuses = store.recorded().filter(({ stream }) => stream === 'order-o1');
    expect(statuses.map(({ data }) => /"status":"s(\d+)"/.exec(data)?.[1])).to.deep.equal(
      Array.from({ length: 10 }, (_, i) => String(i * 4 + 1)),
    );
    expect(right(await run(texts))).to.include({ recorded: 0, duplicates: 40 });
  });

  it('ends at the first line that can not be recorded, and names it', async () => {
    const { store, run } = scene();
    store.takeAway('away');
    const ended = await run([JSON.stringify(signed(bodyOf(onRamp())))]);
    expect(E.isLeft(ended) ? ended.left : null).to.deep.include({ line: 1 });
  });

  it('names the first line that is not recorded, also where one behind it is heard of before', async () => {
    const { record, run } = scene();
    const failed = { _tag: 'StoreUnavailable', detail: 'away' } as const;
    const orders = ['a', 'b', 'b', 'c', 'd'];
    const texts = orders.map((orderId, i) => JSON.stringify(signed(bodyOf(onRamp({ orderId, status: `s${i}` })))));
    const endedWhere = async (recorded: readonly string[]) => {
      const turn = Promise.withResolvers<void>();
      const ended = await run(texts, (delivery) => async () => {
        const status = /"status":"(s\d)"/.exec(delivery.verified.body.toString())?.[1] ?? '';
        // The last one is heard of first.
        if (status === 's4') turn.resolve();
        else await turn.promise;
        return recorded.includes(status) ? record(delivery)() : E.left(failed);
      });
      return E.isLeft(ended) ? ended.left.line : null;
    };
    expect(await endedWhere(['s0', 's1', 's2', 's3'])).to.equal(3);
    expect(await endedWhere(['s0'])).to.equal(2);
    expect(await endedWhere([])).to.equal(1);
  });
});

describe('lines of a file', () => {
  it('are those that a line feed ends, however the bytes come; longer ones are passed over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-zü]{0,9}$/), { minLength: 1 }),
        fc.integer({ min: 1, max: 20 }),
        async (texts, size) => {
          const whole = `${texts.join('\n')}\n`;
          const lines = await Array.fromAsync(linesOf(ofText(whole, size), 8));
          expect(lines.map((line) => line?.toString() ?? null)).to.deep.equal(
            texts.map((text) => (Buffer.byteLength(text) > 8 ? null : text)),
          );
        },
      ),
    );
  });
});
