import { dataDirectoryCheck } from '../../src/doctor/data-directory-check.ts';
import { eventStoreCheck } from '../../src/doctor/event-store-check.ts';
import { diskCheck } from '../../src/doctor/disk-check.ts';
import type { LogAway } from '../../src/doctor/examined-log.ts';
import { branded } from '../../src/domain/brand.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { ReadModelsSeen } from '../../src/read-models/read-models-seen.ts';
import { expectWell, expectWrong, GIB, NOW } from './checks-scene.ts';

describe('what doctor makes of disks and of the event store', () => {
  describe('disk', () => {
    const disk = (freeBytes: number, walBytes: number | null = null) =>
      diskCheck({ _tag: 'Disks', disks: [{ variable: 'DATA_DIR', folder: '/data', freeBytes }], walBytes });

    it('is wrong below a gigabyte, or where the write-ahead log has grown beyond one', () => {
      expectWell(disk(GIB), /^1 GiB free at \/data$/);
      expectWrong(disk(GIB - 1), /only 1,020 MiB|only 1 GiB/, /DATA_DIR/);
      expectWell(disk(GIB, GIB));
      expectWrong(disk(GIB, GIB + 1), /write-ahead log/, /ramp-ledger serve/);
    });

    it('says of a full disk of the read models alone that deliveries are taken', () => {
      const disks = [
        { variable: 'DATA_DIR', folder: '/data', freeBytes: 40 * GIB },
        { variable: 'READ_MODEL_URL', folder: '/models', freeBytes: 1_024 },
      ];
      const check = diskCheck({ _tag: 'Disks', disks, walBytes: null });
      expectWrong(check, /\/models; once nothing is left there, lists and reports fall behind/, /READ_MODEL_URL/);
    });

    it('is wrong, as the data directory is, where it could not be looked at', () => {
      const failed = { _tag: 'NotLookedAt', code: 'EIO' } as const;
      expectWrong(diskCheck(failed), /^it could not be looked at \(EIO\)$/, /DATA_DIR/);
      expectWrong(dataDirectoryCheck('/data', failed), /^it could not be looked at \(EIO\)$/, /DATA_DIR/);
    });
  });

  describe('data directory', () => {
    it('is wrong where the ledger can not keep itself, or others can read it', () => {
      expectWell(dataDirectoryCheck('/data', { _tag: 'NotThere' }), /first start makes it/);
      const there = {
        _tag: 'There',
        told: [],
        displaced: [],
        linked: [],
        spoiled: [],
        changeable: [],
        readableByOthers: [],
      } as const;
      expectWell(dataDirectoryCheck('/data', there), /^\/data$/);
      expectWrong(dataDirectoryCheck('/a/data', { _tag: 'NoFolder', nearest: '/a' }), /^\/a is no folder$/, /DATA_DIR/);
      expectWrong(dataDirectoryCheck('/a', { _tag: 'NotWritable', nearest: '/a' }), /can't be written/, /DATA_DIR/);
      const refuses = (code: string) => dataDirectoryCheck('/a', { _tag: 'Refuses', folder: '/a', code });
      expectWrong(refuses('EROFS'), /file system is read-only \(EROFS\)$/, /dmesg.*keep DATA_DIR/);
      expectWrong(refuses('ENOSPC'), /no room \(ENOSPC\)$/, /^make room/);
      expectWrong(refuses('EACCES'), /by this user$/, /^set DATA_DIR/);
      expectWrong(refuses('EIO'), /no file can be made in \/a \(EIO\)$/, /DATA_DIR/);
      const open = { ...there, readableByOthers: ['events.db', 'api-key', 'spool.db'] } as const;
      expectWrong(dataDirectoryCheck('/data', open), /can read events\.db and 2 more;.*\n\/data$/, /^chmod 700/);
      const changeable = [{ detail: '/data can be written to by others', cure: 'chmod go-w /data' }];
      const shared = { ...there, changeable } as const;
      expectWrong(
        dataDirectoryCheck('/data', shared),
        /^\/data can be written to by others\n\/data$/,
        /^chmod go-w \/data$/,
      );
    });
  });

  describe('event store', () => {
    const file = { kind: 'sqlite', file: '/data/events.db' } as const;
    const none: ReadModelsSeen = { _tag: 'None', building: false };
    const awayFor = (reason: LogAway['reason'], cure: string | null) =>
      eventStoreCheck(file, { _tag: 'Away', reason, detail: 'it is so', cure }, none);

    it('says of one that comes and goes for the ledger that serves where to look, and that a restart helps nothing', () => {
      const met = { inUse: null, wavers: { problem: 'no answer in time', breaks: 1_250, seconds: 900 } } as const;
      const read = {
        _tag: 'Read',
        newest: [],
        isWhole: true,
        about: 'it answers',
        included: null,
        signed: null,
      } as const;
      const away = { _tag: 'Away', reason: 'ServerAway', detail: 'it is silent', cure: null } as const;
      const found = /away 1,250 times in 15 minutes for the ledger that serves, the last time with: no answer in time/;
      for (const log of [read, away]) {
        expectWrong(
          eventStoreCheck(file, log, none, met),
          found,
          /load, its disk.*a restart of the ledger changes nothing$/m,
        );
      }
    });

    it('has the cure of what keeps it away', () => {
      const detail = /^it is so\nsqlite:\/data\/events\.db$/;
      expectWrong(awayFor('FolderMissing', null), detail, /^make the folder/);
      expectWrong(awayFor('FileUnreadable', 'mend it'), detail, /^mend it \(EVENT_STORE_URL names the file; docs/);
      expectWrong(awayFor('FileUnreadable', null), detail, /^see that this user may read it \(EVENT_STORE_URL/);
      expectWrong(awayFor('AccessDenied', null), detail, /^give EVENT_STORE_URL a user who may read \$all/);
      expectWrong(awayFor('ServerAway', null), detail, /^see that EVENT_STORE_URL names the nodes/);
    });

    it('is wrong without a file only where there are read models of it', () => {
      const missed: ReadModelsSeen = {
        _tag: 'Serving',
        generation: 1,
        timeZone: 'UTC',
        quarantined: 0,
        checkpoint: { position: positionAt(5), at: NOW, eventId: branded<EventId>('e5') },
      };
      expectWell(eventStoreCheck(file, { _tag: 'NotThere' }, none), /first start makes it/);
      expectWrong(eventStoreCheck(file, { _tag: 'NotThere' }, missed), /though read models/, /EVENT_STORE_URL/);
    });
  });
});
