import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Position } from '../../../src/domain/ids.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { connect } from '../../../src/event-store/eventstoredb/connection.ts';
import { LogFollower } from '../../../src/event-store/eventstoredb/log-follower.ts';
import { StreamNames } from '../../../src/event-store/eventstoredb/stream-names.ts';
import { startEventStoreDb } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';

/** A checkpoint comes after so many records. */
const BETWEEN_CHECKPOINTS = 64 * 32;
const AROUND = 8;

describe('reading the log up to a position', () => {
  it('includes the event there, wherever checkpoints fall', async () => {
    const double = await startEventStoreDb();
    const connection = right(connect(double.url));
    const follower = new LogFollower(connection, new StreamNames(''), 3_000);
    const event = { type: 'x', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('{}') };
    try {
      // Not of the ledger: passed over, and counted by the server.
      for (let i = 0; i < BETWEEN_CHECKPOINTS - AROUND; i += 1)
        double.log.write('other', [{ ...event, id: randomUUID() }]);
      double.log.write(
        'order-a',
        Array.from({ length: 2 * AROUND }, () => ({ ...event, id: randomUUID() })),
      );
      // Behind what is read: the server has not caught up there.
      for (let i = 0; i < 10 * BETWEEN_CHECKPOINTS; i += 1) double.log.write('other', [{ ...event, id: randomUUID() }]);
      for (const [i, { position }] of (double.log.stream('order-a')?.events ?? []).entries()) {
        let last: Position | null = null;
        let count = 0;
        const upTo = positionAt(Number(position));
        for await (const batch of follower.between(null, upTo)) {
          count += right(batch).length;
          last = right(batch).at(-1)?.position ?? last;
        }
        expect({ last, count }).to.deep.equal({ last: upTo, count: i + 1 });
      }
    } finally {
      await connection.close();
      await double.close();
    }
  });
});
