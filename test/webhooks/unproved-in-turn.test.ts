import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { receiveDelivery } from '../../src/webhooks/receive-delivery.ts';
import { UnprovedInTurn } from '../../src/webhooks/unproved-in-turn.ts';

const BODY = Buffer.alloc(100);

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('bodies that nobody has proved', () => {
  it('are judged in their order, others of the loop between them, where each takes long', async () => {
    const inTurn = new UnprovedInTurn();
    const seen: string[] = [];
    const all = Promise.all(
      ['a', 'b', 'c'].map((name) =>
        inTurn.judge(BODY, () => {
          busy(8);
          seen.push(name);
          setImmediate(() => seen.push('others'));
          return name;
        }),
      ),
    );
    expect(await all).to.deep.equal(['a', 'b', 'c']);
    expect(seen.slice(0, 5)).to.deep.equal(['a', 'others', 'b', 'others', 'c']);
  });

  it('are given up where more wait than there may, a single one of any size never', async () => {
    const inTurn = new UnprovedInTurn(250);
    const judged = (): string => 'judged';
    expect(await inTurn.judge(Buffer.alloc(300), judged)).to.equal('judged');
    const asked = [1, 2, 3].map(() => inTurn.judge(BODY, judged));
    expect(await Promise.all(asked)).to.deep.equal(['judged', 'judged', null]);
    expect(await inTurn.judge(BODY, judged)).to.equal('judged');
  });

  it('hold up nobody behind one that could not be judged', async () => {
    const inTurn = new UnprovedInTurn();
    const failing = inTurn.judge(BODY, () => {
      throw new Error('broken');
    });
    const next = inTurn.judge(BODY, () => 'judged');
    expect(await failing.catch((error: unknown) => String(error))).to.equal('Error: broken');
    expect(await next).to.equal('judged');
  });

  it('hold the loop one at a time where they are written again to be judged, though all have come in one moment', async () => {
    let turnsOfLoop = 0;
    let isOver = false;
    const count = (): void => {
      turnsOfLoop += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const seen: number[] = [];
    const receive = receiveDelivery({
      settings: {
        signatureHeader: 'X-Service-Signature',
        signedForm: 'json',
        maxAgeSeconds: null,
        maxBodyBytes: 262_144,
        bodyWithinMs: 60_000,
        mostUnderWay: 1,
        mostUnread: 100,
      },
      secrets: () => [],
      now: () => instantOf(0),
      onVerified: () => expect.fail('nobody signed it'),
      recall: () => null,
      record: () => expect.fail('nobody signed it'),
      onFailure: () => undefined,
      arrivals: { count: () => undefined, refuse: () => seen.push(turnsOfLoop) },
      peerOf: () => '',
    });
    const body = Buffer.from(`[${Array.from({ length: 18_000 }, (_, n) => `{"a${n}":{}}`).join(',')}]`);
    const all = Array.from({ length: 4 }, () => {
      const request = new IncomingMessage(new Socket());
      request.headers = { 'content-type': 'application/json', 'x-service-signature': 'a'.repeat(64) };
      request.push(body);
      request.push(null);
      return receive(request, { requestId: branded<RequestId>('r') });
    });
    await Promise.all(all);
    isOver = true;
    expect(new Set(seen).size).to.equal(4);
  });
});
