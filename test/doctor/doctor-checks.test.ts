import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { loadConfig, type Config, type Environment } from '../../src/config/index.ts';
import { dataDirectoryCheck } from '../../src/doctor/data-directory-check.ts';
import { eventStoreCheck } from '../../src/doctor/event-store-check.ts';
import { upstreamCheck } from '../../src/doctor/upstream-check.ts';
import { NOTHING_SEEN } from '../../src/arrivals/arrivals-seen.ts';
import { arrivalsCheck } from '../../src/doctor/arrivals-check.ts';
import { checkpointsCheck as checkpointsCheckIn, type CheckpointsSeen } from '../../src/doctor/checkpoints-check.ts';
import { clockCheck } from '../../src/doctor/clock-check.ts';
import { connectionsCheck } from '../../src/doctor/connections-check.ts';
import { diskCheck } from '../../src/doctor/disk-check.ts';
import { ledgerCheck } from '../../src/doctor/ledger-check.ts';
import { readModelsCheck } from '../../src/doctor/read-models-check.ts';
import { apiKeysCheck, webhookSecretsCheck } from '../../src/doctor/secrets-check.ts';
import { setAsideCheck, spoolCheck } from '../../src/doctor/spool-check.ts';
import type { ExaminedLog, LogAway } from '../../src/doctor/examined-log.ts';
import type { ConnectionsTold } from '../../src/doctor/told-state.ts';
import type { DoctorCheck } from '../../src/doctor/doctor-check.ts';
import { branded } from '../../src/domain/brand.ts';
import type { EventId, RequestId, Sha256 } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { SpoolContents } from '../../src/event-store/spool.ts';
import type { ReadModelsSeen } from '../../src/read-models/read-models-seen.ts';
import { eventHeader, type SomeEvent } from '../support/event-headers.ts';
import { right } from '../support/right.ts';

const NOW_MS = Date.UTC(2026, 0, 10, 12);
const NOW = instantOf(NOW_MS);
const MINUTE = 60_000;
const DAY = 86_400_000;
const GIB = 1_024 ** 3;
const SECRET = 'a-webhook-secret-of-24-bytes';

const logOf = (
  newest: readonly SomeEvent[],
  over: Partial<Extract<ExaminedLog, { _tag: 'Read' }>> = {},
): ExaminedLog => ({
  _tag: 'Read',
  about: 'whole',
  newest: newest.map(eventHeader),
  isWhole: true,
  included: null,
  signed: null,
  ...over,
});

const AWAY: ExaminedLog = { _tag: 'Away', reason: 'ServerAway', detail: 'away', cure: null };

const configOf = (env: Environment): Config =>
  right(loadConfig({ DATA_DIR: '/nowhere/data', ...env }, { generate: false, randomBytes: () => Buffer.alloc(0) }))
    .config;

const expectWrong = (check: DoctorCheck, detail: RegExp, cure: RegExp): void => {
  expect(check.ok, check.detail).to.equal(false);
  expect(check.detail).to.match(detail);
  expect(check.cure).to.match(cure);
};

const expectWell = (check: DoctorCheck, detail = /./): void => {
  expect(check.ok, check.detail).to.equal(true);
  expect(check.detail).to.match(detail);
  expect(check.cure).to.equal(null);
};

describe('what doctor makes of what it found', () => {
  describe('disk', () => {
    const disk = (freeBytes: number, walBytes: number | null = null) =>
      diskCheck({ _tag: 'Disks', disks: [{ variable: 'DATA_DIR', folder: '/data', freeBytes }], walBytes });

    it('is wrong below a gigabyte, or where the write-ahead log has grown beyond one', () => {
      expectWell(disk(GIB), /^1 GiB free at \/data$/);
      expectWrong(disk(GIB - 1), /only 1,020 MiB|only 1 GiB/, /DATA_DIR/);
      expectWell(disk(GIB, GIB));
      expectWrong(disk(GIB, GIB + 1), /write-ahead log/, /ramp-ledger serve/);
    });

    it('is wrong, as the data directory is, where it could not be looked at', () => {
      const failed = { _tag: 'NotLookedAt', code: 'EIO' } as const;
      expectWrong(diskCheck(failed), /^it could not be looked at \(EIO\)$/, /DATA_DIR/);
      expectWrong(dataDirectoryCheck('/data', failed), /^it could not be looked at \(EIO\)$/, /DATA_DIR/);
    });
  });

  describe('checkpoints', () => {
    const signedNow = { byKeyOfNow: true, retiredSigns: false, losses: [], witnesses: [] } as const;
    const seen = { _tag: 'Signed', size: 1_200, signedAt: NOW, ...signedNow } as const;
    const NOT_SIGNED = { _tag: 'NotSigned', otherName: null } as const;
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

    it('are wrong where there are those of another name only, to which the log would be held no more', () => {
      expectWrong(
        checkpointsCheck({ ...NOT_SIGNED, otherName: 'log.example/1' }),
        /^none was signed under the name of now; under log\.example\/1 some were/,
        /LEDGER_ORIGIN.*origin in the data directory/,
      );
    });

    it('are well unless the log is known to lack them', () => {
      expectWell(checkpointsCheck(NOT_SIGNED), /none/);
      expectWell(checkpointsCheck({ ...seen, inLog: true }), /1,200 events, signed at 2026-01-10/);
      const loss = { from: 'log.example', at: NOW, size: 7 };
      const ended = /accepted before: 1 time\nuntil 2026-01-10T\S+ the log was log\.example, of 7 events$/;
      expectWell(checkpointsCheck({ ...seen, inLog: null, losses: [loss] }), ended);
      expectWell(checkpointsCheck({ ...seen, inLog: true, byKeyOfNow: false }), /another key than the one of now/);
      expectWell(checkpointsCheck({ ...seen, inLog: true, retiredSigns: true }), /retired key signs too: take it out/);
      expectWrong(checkpointsCheck({ ...seen, inLog: false }), /^history was lost/, /accept-loss/);
      const witness = { name: 'w.example', refused: true, detail: 'it saw another log' };
      expectWrong(checkpointsCheck({ ...seen, inLog: true, witnesses: [witness] }), /w\.example refuses/, /verify/);
      expectWell(
        checkpointsCheck({ ...seen, inLog: true, witnesses: [{ ...witness, refused: false }] }),
        /did not cosign/,
      );
      expectWrong(checkpointsCheck({ _tag: 'Unreadable', detail: 'EIO' }), /EIO/, /DATA_DIR/);
    });
  });

  describe('deliveries', () => {
    it('are not known where a ledger serves that tells nothing, and are no nought', () => {
      const check = arrivalsCheck(null, 2, NOW);
      expectWell(check, /^what arrived is not known: .*; 2 deliveries in quarantine/);
      expect(check.detail).to.not.match(/accepted/);
      expectWell(arrivalsCheck(NOTHING_SEEN, null, NOW), /^0 accepted and 0 refused/);
    });
  });

  describe('data directory', () => {
    it('is wrong where the ledger can not keep itself, or others can read it', () => {
      expectWell(dataDirectoryCheck('/data', { _tag: 'NotThere' }), /first start makes it/);
      const there = { _tag: 'There', told: [], linked: [], changeable: [], readableByOthers: [] } as const;
      expectWell(dataDirectoryCheck('/data', there), /^\/data$/);
      expectWrong(dataDirectoryCheck('/a/data', { _tag: 'NoFolder', nearest: '/a' }), /^\/a is no folder$/, /DATA_DIR/);
      expectWrong(dataDirectoryCheck('/a', { _tag: 'NotWritable', nearest: '/a' }), /can't be written/, /DATA_DIR/);
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

  describe('upstream login', () => {
    it('says which variable to look at', () => {
      const refused = (cure: { readonly cure: string; readonly variable: string | null } | null) =>
        upstreamCheck({ _tag: 'Refused', host: 'provider', happened: 'no', cure });
      expectWrong(refused({ cure: 'check UPSTREAM_ISSUER', variable: 'UPSTREAM_ISSUER' }), /^provider: no$/, /ISSUER$/);
      expectWrong(
        refused({ cure: 'try again later', variable: null }),
        /./,
        /^try again later; UPSTREAM_BASE_URL says/,
      );
      expectWrong(refused(null), /./, /^check UPSTREAM_BASE_URL$/);
      expectWell(upstreamCheck({ _tag: 'NotConfigured' }), /^not configured$/);
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

  describe('webhook secrets', () => {
    const env = { WEBHOOK_SECRETS: `new=${SECRET},old=${SECRET}2`, WEBHOOK_RETIRED_SECRETS: `gone=${SECRET}3` };
    const checkOf = (log: ExaminedLog, over: Environment = env) => webhookSecretsCheck(configOf(over), log, NOW);

    it('are well on a system that nobody used yet, or whose log is not to be had', () => {
      expectWell(checkOf(logOf([])), /new: accepted, never used\nold: accepted, never used\ngone: retired, never used/);
      expectWell(checkOf({ _tag: 'NotThere' }));
      expectWell(checkOf(AWAY), /last use unknown/);
      expectWell(checkOf(logOf([]), {}), /first start generates one/);
    });

    it('are wrong where others are used in the stead of one that was in use; one that was never used begins a change', () => {
      const lately = { position: 2, receivedMs: NOW_MS - 3 * MINUTE, secretId: 'new' };
      const long = { position: 1, receivedMs: NOW_MS - 31 * DAY, secretId: 'old' };
      expectWell(
        checkOf(logOf([lately, { ...long, receivedMs: NOW_MS - 29 * DAY }])),
        /new: accepted, last used 3 minutes ago/,
      );
      expectWrong(
        checkOf(logOf([lately, long])),
        /old is accepted, and nothing/,
        /move old .* WEBHOOK_RETIRED_SECRETS/,
      );
      expectWell(checkOf(logOf([{ ...lately, secretId: 'old' }])), /new: accepted, never used/);
    });

    it('are well where the only one was not used for long, and others are no more than named', () => {
      const long = { position: 1, receivedMs: NOW_MS - 99 * DAY, secretId: 'only' };
      expectWell(checkOf(logOf([long]), { WEBHOOK_SECRETS: `only=${SECRET}` }), /99 days ago/);
      const foreign = { position: 2, receivedMs: NOW_MS - DAY, secretId: 'lost' };
      const rest = { ...long, receivedMs: NOW_MS - MINUTE };
      expectWell(checkOf(logOf([rest, foreign]), { WEBHOOK_SECRETS: `only=${SECRET}` }), /lost: not configured/);
    });

    it('are wrong, as API keys are, where a start would be refused for want of them', () => {
      const config = configOf({ HOST: '0.0.0.0' });
      expectWrong(webhookSecretsCheck(config, logOf([]), NOW), /none is accepted/, /WEBHOOK_SECRETS/);
      expectWrong(apiKeysCheck(config.host, config.secrets), /there is none/, /API_KEYS/);
      expectWell(apiKeysCheck('127.0.0.1', config.secrets), /first start/);
    });
  });

  describe('read models', () => {
    const included = eventHeader({ position: 5, receivedMs: NOW_MS - DAY });
    const checkpoint = { position: positionAt(5), at: instantOf(NOW_MS - DAY), eventId: included.id };
    const serving: ReadModelsSeen = { _tag: 'Serving', generation: 3, timeZone: 'UTC', quarantined: 0, checkpoint };
    const at = (seen: ReadModelsSeen, log: ExaminedLog, serves: boolean, timeZone = 'UTC') =>
      readModelsCheck(seen, { log, timeZone, serves, now: NOW });
    const old: ReadModelsSeen = { _tag: 'OfOtherVersion', generation: 2, version: '0.9', wanted: '1.1' };
    const event = (position: number, agoMs: number): SomeEvent => ({ position, receivedMs: NOW_MS - agoMs });

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
      spoolCheck({ contents: E.right(spool), mostBytes: GIB, serves: true, storeAway: false, ...over }, NOW);

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
      ledgerCheck({ _tag: 'Answered', url, status, isLedger: true, threadsDown });
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
      expectWrong(answered(503), /no delivery now/, /docs\/operating\.md/);
      expectWrong(ledgerCheck({ _tag: 'Silent', url, withinMs: 3_000 }), /no answer within 3 s/, /ramp-ledger serve/);
      expectWrong(ledgerCheck({ _tag: 'Silent', url: null, withinMs: 3_000 }), /it gives no answer within 3 s/, /log/);
      expectWell(ledgerCheck({ _tag: 'NothingThere', url }), /is not known/);
      expectWrong(ledgerCheck({ _tag: 'Unknown', detail: 'no lock', cure: null }), /^no lock$/, /DATA_DIR/);
    });
  });
});
