import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { unprovenSecrets } from '../../../src/composition/doctor/unproven-secrets.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { SecretId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { orderEvent } from '../../../src/domain/new-event.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import type { ExaminationFailure } from '../../../src/event-store/examination.ts';
import { bodyOf, onRamp, orderContent, signatureOf, verifiedDelivery } from '../../support/payloads.ts';
import { recordedEvent } from '../../support/recorded-event.ts';
import { right } from '../../support/right.ts';

const FORMER = 'the-former-value-of-a-secret';
const NOW = 'the-value-of-now-of-a-secret';

/** An event of a secret, at a place that is its time in ms too. */
const eventAt = (place: number, id: string, secret: string): RecordedEvent => {
  const body = bodyOf(onRamp({ orderId: `ord-${place}` }));
  const verified = verifiedDelivery(body, {
    signature: signatureOf(body, secret),
    secretId: branded<SecretId>(id),
    receivedAt: instantOf(place),
  });
  return recordedEvent(orderEvent(verified, orderContent(body.toString())), { position: positionAt(place) });
};

/** By a log whose newest event comes first; each value by its id. */
const unproven = async (
  log: readonly RecordedEvent[],
  values: Readonly<Record<string, string>>,
  beforeMs?: number,
): Promise<readonly string[]> => {
  const at = (position: string) =>
    TE.right<ExaminationFailure, RecordedEvent | null>(log.find((event) => event.position === position) ?? null);
  const keyOf = (id: string): Buffer | null => {
    const value = values[id];
    return value === undefined ? null : Buffer.from(value);
  };
  return right(await unprovenSecrets({ at }, log, keyOf, beforeMs));
};

describe('secrets whose newest event is not signed with the value of now', () => {
  it('are those whose name was given another value, and neither those that prove it nor those that are not configured', async () => {
    const log = [eventAt(3, 'two', NOW), eventAt(2, 'one', FORMER), eventAt(1, 'gone', FORMER)];
    expect(await unproven(log, { one: NOW, two: NOW })).to.deep.equal(['one']);
    expect(await unproven(log, { one: FORMER, two: FORMER })).to.deep.equal(['two']);
    expect(await unproven(log, { one: FORMER, two: NOW, unused: NOW })).to.deep.equal([]);
    expect(await unproven([], { one: NOW })).to.deep.equal([]);
  });

  it('are judged by the newest event that came before a moment: what comes since is signed with the value of now', async () => {
    const log = [eventAt(2_000, 'one', NOW), eventAt(1_000, 'one', FORMER)];
    expect(await unproven(log, { one: NOW })).to.deep.equal([]);
    expect(await unproven(log, { one: NOW }, 2_000)).to.deep.equal(['one']);
    expect(await unproven(log, { one: NOW }, 1_000)).to.deep.equal([]);
  });

  it('are none where that event is damaged, of which its signature says nothing', async () => {
    const event = eventAt(1, 'one', NOW);
    const damaged = { ...event, data: event.data.replace('ord-1', 'ord-7') };
    expect(await unproven([damaged], { one: NOW })).to.deep.equal([]);
    expect(await unproven([{ ...event, metadata: 'nothing' }], { one: FORMER })).to.deep.equal([]);
  });

  it('are not known where the store fails', async () => {
    const failure: ExaminationFailure = { _tag: 'ServerAway', detail: 'away', cure: null };
    const found = await unprovenSecrets({ at: () => TE.left(failure) }, [eventAt(1, 'one', NOW)], () =>
      Buffer.from(NOW),
    );
    expect(found).to.deep.equal(E.left(failure));
  });
});
