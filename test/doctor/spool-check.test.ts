import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { setAsideCheck, spoolCheck } from '../../src/doctor/spool-check.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId, Sha256 } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { SpoolContents } from '../../src/event-store/spool.ts';
import { expectWell, expectWrong, GIB, MINUTE, NOW, NOW_MS } from './checks-scene.ts';

describe('what doctor makes of the spool', () => {
  describe('spool', () => {
    const contents = (over: Partial<SpoolContents>): SpoolContents => ({
      depth: 0,
      bytes: 0,
      oldestReceivedAt: null,
      setAside: [],
      ...over,
    });
    const waiting = contents({ depth: 2, bytes: 4_096, oldestReceivedAt: instantOf(NOW_MS - 3 * MINUTE) });
    const seen = (spool: SpoolContents | null, over: Partial<Parameters<typeof spoolCheck>[0]> = {}) =>
      spoolCheck(
        { contents: E.right(spool), mostBytes: GIB, serves: true, storeAway: false, storeWavers: null, ...over },
        NOW,
      );

    it('is wrong where deliveries wait for what does not come by itself', () => {
      expectWell(seen(null));
      expectWell(seen(contents({})), /nothing waits/);
      expectWell(seen({ ...waiting, oldestReceivedAt: NOW }), /2 deliveries wait; 4 KiB of 1 GiB/);
      expectWrong(seen(waiting), /the oldest for 3 minutes/, /ramp-ledger serve/);
      expectWrong(seen({ ...waiting, oldestReceivedAt: NOW }, { serves: false }), /2 deliveries/, /ramp-ledger serve/);
      expectWrong(
        seen({ ...waiting, oldestReceivedAt: NOW }, { storeAway: true }),
        /2 deliveries/,
        /bring the event store back/,
      );
      expectWrong(seen(contents({ bytes: 950 }), { mostBytes: 1_000 }), /nearly full: 50 bytes/, /SPOOL_MAX_BYTES/);
    });

    it('asks for no restart where the store comes and goes', () => {
      const check = seen(waiting, { storeWavers: { problem: 'no answer in time', breaks: 40, seconds: 60 } });
      expectWrong(check, /2 deliveries, the oldest for 3 minutes/, /^see event store here: .*by itself/);
      expect(check.cure).to.not.match(/restart|ramp-ledger serve/);
    });

    it('is wrong where it can not be read', () => {
      const failed = E.left({ detail: 'spool.db is damaged', cure: 'keep a copy of DATA_DIR' });
      expectWrong(seen(null, { contents: failed }), /is damaged$/, /^keep a copy of DATA_DIR; then start the ledger/);
      expectWell(setAsideCheck({ contents: failed }), /unknown/);
    });

    it('names at most twenty that were set aside', () => {
      const entries = Array.from({ length: 22 }, (_, i) => ({
        seq: i + 1,
        key: `order-ord-${i + 1}`,
        bodySha256: branded<Sha256>('0'.repeat(64)),
        receivedAt: NOW,
        requestId: branded<RequestId>('request-1'),
        problem: 'its stream\nwas deleted',
        at: NOW,
      }));
      const check = setAsideCheck({ contents: E.right(contents({ setAside: entries })) });
      expectWrong(check, /22 deliveries for good.*\n1: order-ord-1: its stream was deleted\n/, /docs\/operating\.md/);
      expect(check.detail.split('\n')).to.have.lengthOf(22);
      expect(check.detail).to.match(/\n20: .*\n… and 2 more$/);
      expectWell(setAsideCheck({ contents: E.right(contents({})) }));
    });
  });
});
