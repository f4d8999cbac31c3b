import { checkpointsCheck as checkpointsCheckIn, type CheckpointsSeen } from '../../src/doctor/checkpoints-check.ts';
import type { ExaminedLog } from '../../src/doctor/examined-log.ts';
import type { DoctorCheck } from '../../src/doctor/doctor-check.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { eventHeader } from '../support/event-headers.ts';
import { AWAY, expectWell, expectWrong, logOf, MINUTE, NOW, NOW_MS } from './checks-scene.ts';

describe('what doctor makes of checkpoints', () => {
  describe('checkpoints', () => {
    const signedNow = { byKeyOfNow: true, retiredSigns: false, goneKeys: [], losses: [], witnesses: [] } as const;
    const seen = {
      _tag: 'Signed',
      size: 1_200,
      signedAt: NOW,
      otherName: null,
      treeLacks: false,
      ...signedNow,
    } as const;
    const NOT_SIGNED = { _tag: 'NotSigned', otherName: null, inLog: null, treeLacks: false } as const;
    const checkpointsCheck = (found: CheckpointsSeen): DoctorCheck =>
      checkpointsCheckIn(found, { log: logOf([]), serves: true, now: NOW });

    it('are wrong where a ledger that serves has not signed for a minute what it recorded', () => {
      const at = (position: number, ageMs: number) => ({ position, receivedMs: NOW_MS - ageMs });
      const signed = eventHeader(at(2, 5 * MINUTE));
      const behind = (ageMs: number) => logOf([at(9, 0), at(4, ageMs), at(2, 5 * MINUTE)], { signed });
      const found = { ...seen, inLog: true } as const;
      const check = (log: ExaminedLog, serves = true, one: CheckpointsSeen = found) =>
        checkpointsCheckIn(one, { log, serves, now: NOW });
      expectWrong(
        check(behind(3 * MINUTE)),
        /^events that were recorded 3 minutes ago are not signed; the newest/,
        /room.*tries again within seconds/,
      );
      expectWell(check(behind(MINUTE)));
      expectWell(check(behind(3 * MINUTE), false));
      expectWell(check(AWAY));
      // Without the tree it is not known which event is the last one that was signed, but when that was.
      const since = { ...found, inLog: null, signedAt: instantOf(NOW_MS - 4 * MINUTE) } as const;
      expectWrong(check(logOf([at(9, 2 * MINUTE)]), true, since), /2 minutes ago are not signed/, /room/);
      expectWell(check(logOf([at(9, 5 * MINUTE)]), true, since));
      expectWrong(check(behind(3 * MINUTE), true, NOT_SIGNED), /^none was signed yet, and events/, /room/);
    });

    it('are wrong where all are gone, or keys that signed some', () => {
      expectWrong(
        checkpointsCheck({ _tag: 'Gone', detail: 'the file is empty' }),
        /nothing is signed.*the file is empty/,
        /accept-loss/,
      );
      expectWrong(
        checkpointsCheck({ ...seen, inLog: true, goneKeys: ['0a0b0c0d'] }),
        /missing in log-keys.*0a0b0c0d; the newest/,
        /put log-keys back/,
      );
    });

    it('are wrong where the tree alone lacks them, which a start makes anew, and never as a loss', () => {
      for (const one of [seen, { ...NOT_SIGNED, otherName: 'log.example/1' } as const]) {
        const damaged = (inLog: boolean | null) => checkpointsCheck({ ...one, inLog, treeLacks: true });
        expectWrong(
          damaged(true),
          /^the tree .* is damaged, and no event is lost; /,
          /start it: it makes the tree anew/,
        );
        expectWrong(damaged(null), /^the tree .* is damaged, or history was lost; /, /verify says which/);
        expectWrong(damaged(false), /^history was lost/, /accept-loss/);
      }
    });

    it('are wrong where there are those of another name only, by which others know the log', () => {
      for (const inLog of [true, null])
        expectWrong(
          checkpointsCheck({ ...NOT_SIGNED, otherName: 'log.example/1', inLog }),
          /^none was signed under the name of now; under log\.example\/1 some were/,
          /LEDGER_ORIGIN.*origin in the data directory/,
        );
    });

    it('are wrong where the log lacks what was signed under another name, whether or not it has signed since', () => {
      const lost = { otherName: 'log.example/1', inLog: false } as const;
      const detail = /^history was lost: .* what was signed under its name log\.example\/1; /;
      expectWrong(checkpointsCheck({ ...NOT_SIGNED, ...lost }), detail, /accept-loss/);
      expectWrong(checkpointsCheck({ ...seen, ...lost }), detail, /accept-loss/);
    });

    it('are well unless the log is known to lack them', () => {
      expectWell(checkpointsCheck(NOT_SIGNED), /none/);
      expectWell(checkpointsCheck({ ...seen, inLog: true }), /1,200 events, signed at 2026-01-10/);
      const loss = { from: 'log.example', at: NOW, size: 7 };
      const ended = /accepted before: 1 time\nuntil 2026-01-10T\S+ the log was log\.example, of 7 events$/;
      expectWell(checkpointsCheck({ ...seen, inLog: null, losses: [loss] }), ended);
      // One acceptance may end several names.
      const both = { ...seen, inLog: true, losses: [{ ...loss, from: 'log.example/1' }, loss] } as const;
      expectWell(
        checkpointsCheck(both),
        /accepted before: 1 time\nuntil .*log\.example\/1, .*\nuntil .*log\.example, /,
      );
      expectWell(checkpointsCheck({ ...seen, inLog: true, byKeyOfNow: false }), /another key than the one of now/);
      expectWell(checkpointsCheck({ ...seen, inLog: true, retiredSigns: true }), /retired key signs too: take it out/);
      expectWrong(checkpointsCheck({ ...seen, inLog: false }), /^history was lost/, /accept-loss/);
      const witness = { name: 'w.example', refused: true, detail: 'it saw another log' };
      expectWrong(checkpointsCheck({ ...seen, inLog: true, witnesses: [witness] }), /w\.example refuses/, /verify/);
      expectWell(
        checkpointsCheck({ ...seen, inLog: true, witnesses: [{ ...witness, refused: false }] }),
        /did not cosign/,
      );
      expectWrong(checkpointsCheck({ _tag: 'Unreadable', detail: 'EIO', cure: null }), /EIO/, /DATA_DIR/);
      const known = { _tag: 'Unreadable', detail: 'line 2 is none', cure: 'put it back' } as const;
      expectWrong(checkpointsCheck(known), /can't be read \(line 2 is none\)/, /^put it back$/);
    });
  });
});
