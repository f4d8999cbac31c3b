import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId, SecretId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { provedBy } from '../../src/http/connections/proved-connections.ts';
import { receiveDelivery, type Received, type ReceiveSettings } from '../../src/webhooks/receive-delivery.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';

const GENUINE = bodyOf(onRamp());
const FORGED = Buffer.from('{"forged":true}');
/** Takes tens of milliseconds to be written again. */
const COSTLY = Buffer.from(`[${Array.from({ length: 18_000 }, (_, n) => `{"a${n}":{}}`).join(',')}]`);

/** Larger than most of what providers send, and quick to write again, as all that honest senders write. */
const LARGE = bodyOf({ ...onRamp(), note: 'n'.repeat(200_000), more: Array.from({ length: 400 }, (_, n) => ({ n })) });

/** Counts as one that takes long, and is judged in a few milliseconds. */
const COSTLY_AND_LARGE = Buffer.from(
  JSON.stringify({ text: 't'.repeat(240_000), more: Array.from({ length: 4_200 }, () => 0) }),
);
const GENUINE_AND_COSTLY = bodyOf({
  ...onRamp(),
  text: 't'.repeat(240_000),
  more: Array.from({ length: 4_200 }, () => 0),
});

const SETTINGS: ReceiveSettings = {
  signatureHeader: 'X-Service-Signature',
  signedForm: 'bytes',
  maxAgeSeconds: null,
  maxBodyBytes: 262_144,
  bodyWithinMs: 60_000,
  mostUnderWay: 1_000,
  mostUnread: 100,
};

const from = (address: string): Socket => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return socket;
};

describe('bodies that come to their end in one moment', () => {
  /** What was answered, in that order: who sent it, and in which turn of the loop. */
  let answered: { readonly peer: string; readonly code: string; readonly turn: number }[];
  let turns: ReturnType<typeof loopTurns>;

  beforeEach(() => {
    [answered, turns] = [[], loopTurns()];
  });
  afterEach(() => turns.stop());

  const receiver = (
    settings: Partial<ReceiveSettings>,
  ): ((socket: Socket, body: Buffer | null) => Promise<Received>) => {
    const receive = receiveDelivery({
      settings: { ...SETTINGS, ...settings },
      secrets: () => [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
      now: () => instantOf(0),
      onVerified: () => undefined,
      recall: () => null,
      // Only what is proved comes so far.
      record: () => TE.left({ _tag: 'StoreUnavailable', detail: 'none here' }),
      onFailure: () => undefined,
      arrivals: {
        count: () => undefined,
        refuse: (code, detail) => answered.push({ peer: detail().peer, code, turn: turns.now() }),
      },
      peerOf: ({ socket }) => socket.remoteAddress ?? '',
    });
    return (socket, body) => {
      const request = new IncomingMessage(socket);
      const signature =
        body === GENUINE || body === LARGE || body === GENUINE_AND_COSTLY ? signatureOf(body) : 'a'.repeat(64);
      request.headers = { 'content-type': 'application/json', 'x-service-signature': signature };
      if (body !== null) {
        request.push(body);
        request.push(null);
      }
      return receive(request, { requestId: branded<RequestId>('r') });
    };
  };
  const many = (count: number, send: () => Promise<Received>): Promise<Received>[] =>
    Array.from({ length: count }, send);
  const perTurn = (): number[] => [...Map.groupBy(answered, ({ turn }) => turn).values()].map(({ length }) => length);
  const turnsOfRefused = (): Set<number> =>
    new Set(answered.filter(({ code }) => code === 'signature-mismatch').map(({ turn }) => turn));
  const placeOfGenuine = (): number => answered.findIndex(({ code }) => code === 'not-durable');

  it('are judged so many in each turn of the loop, and all of them', async () => {
    const receive = receiver({});
    await Promise.all(many(500, () => receive(from('stranger'), FORGED)));
    expect(answered.length).to.equal(500);
    expect(Math.max(...perTurn())).to.be.at.most(64);
  });

  it('keep nobody waiting who proved himself by that connection, and hardly anybody whose peer did', async () => {
    const receive = receiver({});
    await receive(from('provider'), GENUINE);
    answered = [];
    const [kept, opened] = [from('provider'), from('provider')];
    provedBy(kept);
    const all = [
      ...many(500, () => receive(from('stranger'), FORGED)),
      receive(kept, GENUINE),
      receive(opened, GENUINE),
    ];
    await Promise.all(all);
    const places = answered.flatMap(({ peer }, place) => (peer === 'provider' ? [place] : []));
    expect(places[0]).to.be.lessThan(6);
    expect(places[1]).to.be.lessThan(100);
  });

  it('are read one in a turn where they are large and proved: together they would take as long as all of them', async () => {
    const receive = receiver({});
    const known = from('provider');
    provedBy(known);
    await Promise.all(many(20, () => receive(known, LARGE)));
    expect(perTurn()).to.deep.equal(Array.from({ length: 20 }, () => 1));
  });

  it('are taken by turns of the peers where nobody is known', async () => {
    const receive = receiver({});
    await Promise.all([...many(500, () => receive(from('stranger'), FORGED)), receive(from('new'), GENUINE)]);
    expect(placeOfGenuine()).to.be.lessThan(100);
  });

  it('are answered so many in each turn likewise where they are late', async () => {
    const receive = receiver({ bodyWithinMs: 20 });
    await Promise.all(many(500, () => receive(from('stranger'), null)));
    expect(answered.map(({ code }) => code)).to.include('body-timeout');
    expect(answered.length).to.equal(500);
    expect(Math.max(...perTurn())).to.be.at.most(64);
  });

  it('and are written again hold the loop one at a time, and small ones pass them, whoever sent either', async () => {
    const receive = receiver({ signedForm: 'json' });
    await Promise.all([...many(4, () => receive(from('proxy'), COSTLY)), receive(from('proxy'), GENUINE)]);
    expect(placeOfGenuine()).to.equal(0);
    expect(turnsOfRefused().size).to.equal(4);
  });

  it('and are written again keep no large one waiting that takes no time, from however many addresses they come', async () => {
    const receive = receiver({ signedForm: 'json' });
    const forged = Array.from({ length: 20 }, (_, n) => receive(from(`stranger ${n}`), COSTLY));
    // The first ones are being judged.
    await Promise.race(forged);
    await receive(from('new'), LARGE);
    expect(answered.length).to.be.at.most(3);
    expect(answered.at(-1)).to.include({ peer: 'new', code: 'not-durable' });
    await Promise.all(forged);
  });

  it('and take long are given up last of a sender who has proved himself, however many others send such', async () => {
    const receive = receiver({ signedForm: 'json', mostUnread: 1_000 });
    await receive(from('provider'), GENUINE);
    const forged = Array.from({ length: 200 }, (_, n) => receive(from(`10.0.0.${n}`), COSTLY_AND_LARGE));
    answered = [];
    await Promise.all(many(3, () => receive(from('provider'), GENUINE_AND_COSTLY)));
    const codes = answered.filter(({ peer }) => peer === 'provider').map(({ code }) => code);
    expect(codes).to.deep.equal(['not-durable', 'not-durable', 'not-durable']);
    await Promise.all(forged);
    expect(
      answered.map(({ code }) => code),
      'more came than there is room for',
    ).to.include('overloaded');
  });

  it('and are written again do so by connections too whose last delivery was proved, as those of a proxy may be', async () => {
    const receive = receiver({ signedForm: 'json' });
    const kept = (): Socket => {
      const socket = from('proxy');
      provedBy(socket);
      return socket;
    };
    await Promise.all([...many(4, () => receive(kept(), COSTLY)), receive(kept(), GENUINE)]);
    expect(placeOfGenuine()).to.equal(0);
    expect(turnsOfRefused().size).to.equal(4);
  });
});
