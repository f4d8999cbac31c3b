import { expect } from 'chai';
import { NOTHING_SEEN } from '../../src/arrivals/arrivals-seen.ts';
import { arrivalsCheck } from '../../src/doctor/arrivals-check.ts';
import { clockCheck } from '../../src/doctor/clock-check.ts';
import { connectionsCheck } from '../../src/doctor/connections-check.ts';
import { ledgerCheck } from '../../src/doctor/ledger-check.ts';
import type { ConnectionsTold } from '../../src/doctor/told-state.ts';
import { AWAY, DAY, expectWell, expectWrong, logOf, MINUTE, NOW, NOW_MS } from './checks-scene.ts';

describe('what doctor makes of what it found', () => {
  describe('deliveries', () => {
    it('are not known where a ledger serves that tells nothing, and are no nought', () => {
      const check = arrivalsCheck(null, 2, NOW);
      expectWell(check, /^what arrived is not known: .*; 2 deliveries in quarantine/);
      expect(check.detail).to.not.match(/accepted/);
      expectWell(arrivalsCheck(NOTHING_SEEN, null, NOW), /^0 accepted and 0 refused/);
    });
  });

  describe('clock', () => {
    it('is wrong where the last event is of the future, or was recorded before it was received', () => {
      expectWell(clockCheck(NOW, logOf([]), null));
      expectWell(clockCheck(NOW, AWAY, null));
      expectWell(clockCheck(NOW, logOf([{ position: 1, receivedMs: NOW_MS + 4_000 }]), null));
      expectWrong(
        clockCheck(NOW, logOf([{ position: 1, receivedMs: NOW_MS + DAY }]), null),
        /1 day from now/,
        /timedatectl/,
      );
      const early = { position: 1, receivedMs: NOW_MS - MINUTE, recordedMs: NOW_MS - 2 * MINUTE };
      expectWrong(clockCheck(NOW, logOf([early]), null), /recorded 1 minute before/, /EVENT_STORE_URL/);
    });

    it("is wrong where the provider's is another", () => {
      const seen = (issuedAtMs: number) => clockCheck(NOW, logOf([]), { issuedAtMs, seenAtMs: NOW_MS });
      expectWell(seen(NOW_MS - 59_000));
      expectWrong(seen(NOW_MS - 2 * MINUTE), /2 minutes ahead of/, /timedatectl/);
      expectWrong(seen(NOW_MS + 2 * MINUTE), /2 minutes behind/, /timedatectl/);
    });
  });

  describe('connections', () => {
    const told = (connections?: ConnectionsTold) => {
      const state = { url: 'http://127.0.0.1:1', ready: true, threadsDown: [], arrivals: NOTHING_SEEN };
      return connectionsCheck({ _tag: 'Told', state: connections === undefined ? state : { ...state, connections } });
    };

    it('are wrong where a ledger that serves takes less than half of the usual number, since its process may have few files open', () => {
      const taken = { most: 768, usual: 4_096, openFiles: 1_024, enoughFiles: 4_352 };
      expectWrong(
        told(taken),
        /only 1024 files.*usual 4096\n768 are taken/,
        /LimitNOFILE=4352.*ulimits.*ulimit -n 4352/,
      );
      expectWell(told({ ...taken, most: 4_096, openFiles: null }), /^4096 are taken at once$/);
      expectWell(told({ ...taken, most: 3_840, openFiles: 4_096 }), /^3840 are taken at once$/);
      expectWell(told(), /did not tell/);
      expectWell(connectionsCheck({ _tag: 'NoneServes' }), /^no ledger takes any now$/);
    });
  });

  describe('ledger', () => {
    const url = 'http://127.0.0.1:1';
    const answered = (status: number, ...threadsDown: readonly string[]) =>
      ledgerCheck({ _tag: 'Answered', url, status, isLedger: true, threadsDown, eventsDamaged: false });
    it('is wrong where one serves and could take nothing', () => {
      expectWell(ledgerCheck({ _tag: 'NoneServes' }), /none serves/);
      expectWell(ledgerCheck({ _tag: 'ServesElsewhere', url, ready: true }), /serves from another/);
      expectWrong(
        ledgerCheck({ _tag: 'ServesElsewhere', url, ready: false }),
        /no delivery now/,
        /taken from under it/,
      );
      expectWell(ledgerCheck({ _tag: 'NotAsked' }), /PORT/);
      expectWell(answered(200), /could take a delivery/);
      expectWrong(answered(200, 'projections'), /a thread of it is down.*"projections"/, /its log/);
      expectWell(answered(404), /another program/);
      const damaged = (status: number) =>
        ledgerCheck({ _tag: 'Answered', url, status, isLedger: true, threadsDown: ['streams'], eventsDamaged: true });
      expectWrong(damaged(200), /takes deliveries of other orders; a page of its events is damaged/, /restore BACKUP/);
      expectWrong(damaged(503), /no delivery now; a page of its events is damaged/, /restore BACKUP/);
      expectWrong(answered(503), /no delivery now/, /docs\/operating\.md/);
      expectWrong(ledgerCheck({ _tag: 'Silent', url, withinMs: 3_000 }), /no answer within 3 s/, /ramp-ledger serve/);
      expectWrong(ledgerCheck({ _tag: 'Silent', url: null, withinMs: 3_000 }), /it gives no answer within 3 s/, /log/);
      expectWell(ledgerCheck({ _tag: 'NothingThere', url }), /is not known/);
      expectWrong(ledgerCheck({ _tag: 'Unknown', detail: 'no lock', cure: null }), /^no lock$/, /DATA_DIR/);
    });
  });
});
