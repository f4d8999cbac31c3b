import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import { quarantineEventId } from '../../src/domain/event-id.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import type { EventForStream } from '../../src/domain/new-event.ts';
import { ownEvent } from '../../src/domain/own-event/own-event.ts';
import { PERIOD_REOPENED } from '../../src/domain/own-event/period-events.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { appendOwn } from '../../src/ledger/append-own.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { right } from '../support/right.ts';

const AT = instantOf(Date.UTC(2026, 3, 2));

const noted = (note: string): EventForStream =>
  ownEvent(
    PERIOD_REOPENED,
    { period: branded<Month>('2026-03'), closed: quarantineEventId(sha256(note)), note },
    { by: 'finance', at: AT, requestId: branded<RequestId>('request-1') },
  );

describe('appending events of the ledger itself', () => {
  it('is done by one of two at the same revision, and by the same one again', async () => {
    const store = inMemoryEventStore(() => AT);
    const first = right(await appendOwn(store, 'none', [noted('one')])());
    expect(right(await appendOwn(store, 'none', [noted('one')])())).to.deep.equal(first);
    const lost = await appendOwn(store, 'none', [noted('two')])();
    expect(E.isLeft(lost) ? lost.left : lost.right).to.deep.equal({ _tag: 'WrongExpectedRevision', actual: 0 });
    expect(store.recorded()).to.have.lengthOf(1);
  });

  it('tells a position that includes all of them', async () => {
    const store = inMemoryEventStore(() => AT);
    const { revision, position } = right(
      await appendOwn(store, 'none', [noted('one'), noted('two'), noted('three')])(),
    );
    expect(revision).to.equal(0);
    expect(position).to.equal(store.recorded().at(-1)?.position);
  });
});
