import { readModelsCheck } from '../../src/doctor/read-models-check.ts';
import type { ExaminedLog } from '../../src/doctor/examined-log.ts';
import { branded } from '../../src/domain/brand.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { ReadModelsSeen } from '../../src/read-models/read-models-seen.ts';
import { eventHeader, type SomeEvent } from '../support/event-headers.ts';
import { AWAY, DAY, expectWell, expectWrong, logOf, MINUTE, NOW, NOW_MS } from './checks-scene.ts';

describe('what doctor makes of read models', () => {
  describe('read models', () => {
    const included = eventHeader({ position: 5, receivedMs: NOW_MS - DAY });
    const checkpoint = { position: positionAt(5), at: instantOf(NOW_MS - DAY), eventId: included.id };
    const serving: ReadModelsSeen = { _tag: 'Serving', generation: 3, timeZone: 'UTC', quarantined: 0, checkpoint };
    const at = (seen: ReadModelsSeen, log: ExaminedLog, serves: boolean, timeZone = 'UTC') =>
      readModelsCheck(seen, { log, timeZone, serves, now: NOW });
    const old: ReadModelsSeen = { _tag: 'OfOtherVersion', generation: 2, version: '0.9', wanted: '1.1' };
    const event = (position: number, agoMs: number): SomeEvent => ({ position, receivedMs: NOW_MS - agoMs });

    it('are no damaged ones where their disk has no room for who reads', () => {
      const unusable: ReadModelsSeen = { _tag: 'Unusable', file: 'read-models.db', found: 'disk I/O error' };
      expectWrong(
        at({ ...unusable, noRoom: true }, logOf([]), true),
        /disk I\/O error/,
        /^make room on the disk of READ_MODEL_URL/,
      );
      expectWrong(at(unusable, logOf([]), true), /disk I\/O error/, /ramp-ledger replay/);
    });

    it('are well at the end of the log, moments behind it, and behind it while nobody serves', () => {
      expectWell(at(serving, logOf([event(5, DAY)], { included }), true), /include the whole log/);
      expectWell(
        at(serving, logOf([event(6, 9_000), event(5, DAY)], { included }), true),
        /1 event behind .* 9 seconds/,
      );
      expectWell(
        at(serving, logOf([event(6, DAY), event(5, DAY)], { included }), false),
        /1 event behind .* next start/,
      );
      expectWell(at(serving, AWAY, true), /not known/);
      expectWell(at({ _tag: 'None', building: true }, logOf([event(1, DAY)]), true), /being built/);
      expectWell(at({ _tag: 'None', building: false }, { _tag: 'NotThere' }, false));
    });

    it('are well where a stopped ledger was restored or upgraded, since its next start builds them', () => {
      const log = logOf([event(5, DAY)]);
      expectWell(at({ _tag: 'None', building: false }, log, false), /there are none: the next start or command builds/);
      expectWell(at(old, log, false), /version 0\.9 .* has 1\.1: the next start or command builds/);
    });

    it('are wrong far behind a log', () => {
      const behind = [event(7, MINUTE), event(6, 2 * MINUTE), event(5, DAY)];
      expectWrong(
        at(serving, logOf(behind, { included }), true),
        /2 events behind the log, for 2 minutes/,
        /ramp-ledger replay/,
      );
      const far = logOf([event(9, 0), event(8, 0)], { included, isWhole: false });
      expectWrong(at(serving, far, false), /more than 2 events behind/, /ramp-ledger replay/);
    });

    it('are wrong where they are of another log, version or zone, or are not there', () => {
      const log = logOf([event(5, DAY)], { included });
      expectWrong(at(serving, logOf([event(4, DAY)]), false), /another log.* position 5/, /ramp-ledger replay/);
      const other = eventHeader({ position: 5, receivedMs: NOW_MS });
      expectWrong(at(serving, logOf([event(5, 0)], { included: other }), true), /another log/, /ramp-ledger replay/);
      const atOnce = { ...included, id: branded<EventId>('of another delivery') };
      expectWrong(
        at(serving, logOf([event(5, DAY)], { included: atOnce }), true),
        /another log/,
        /ramp-ledger replay; where another ledger has the same READ_MODEL_URL, first set/,
      );
      expectWrong(
        at({ _tag: 'OfAnotherLedger' }, log, false),
        /READ_MODEL_URL .* another ledger/,
        /^set READ_MODEL_URL/,
      );
      expectWrong(at(serving, log, true, 'Asia/Kolkata'), /UTC, BUSINESS_TIME_ZONE says Asia/, /ramp-ledger replay/);
      expectWrong(at({ _tag: 'None', building: false }, log, true), /there are none/, /ramp-ledger replay/);
      expectWrong(at(old, log, true), /version 0\.9 .* has 1\.1/, /ramp-ledger replay/);
      const misplaced = { _tag: 'Misplaced', problem: '/a is a folder', cure: 'name a file' } as const;
      expectWrong(at(misplaced, log, false), /^READ_MODEL_URL: \/a is a folder$/, /^READ_MODEL_URL: name a file$/);
      expectWrong(at({ _tag: 'Foreign' }, log, false), /another program/, /READ_MODEL_URL/);
    });
  });
});
