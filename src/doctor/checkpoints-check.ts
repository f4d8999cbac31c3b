import { epochMsOf, type Instant } from '../domain/instant.ts';
import { comparePositions } from '../domain/position.ts';
import { well, wrong, type DoctorCheck } from './doctor-check.ts';
import type { ExaminedLog } from './examined-log.ts';
import { counted, spanText } from './figures-as-text.ts';

const NAME = 'checkpoints';

/** What was found of the checkpoints that the ledger has signed. */
export type CheckpointsSeen =
  | {
      readonly _tag: 'NotSigned';
      /** Another name under which checkpoints are there, of a log that has not ended; null: there is none. */
      readonly otherName: string | null;
      /** Whether the log has the last event that was signed under other names; null: not known now, or there is none. */
      readonly inLog: boolean | null;
      /** Whether the tree of the log, which follows from it, lacks what was signed. */
      readonly treeLacks: boolean;
    }
  | { readonly _tag: 'Unreadable'; readonly detail: string; readonly cure: string | null }
  /** More may have been signed than is kept: the log has events, and its name and key were not made here. */
  | { readonly _tag: 'Unknown'; readonly detail: string }
  /** All that were signed are no longer kept. */
  | { readonly _tag: 'Gone'; readonly detail: string }
  | {
      readonly _tag: 'Signed';
      /** Of the newest one. */
      readonly size: number;
      readonly signedAt: Instant;
      /** Whether the log has the last event that was signed, under whichever name, where it was; null: not known now. */
      readonly inLog: boolean | null;
      /** Whether the tree of the log, which follows from it, lacks what was signed. */
      readonly treeLacks: boolean;
      /** The other name that was signed under; null: it was that of now. */
      readonly otherName: string | null;
      /** Whether it is signed with the key of now. */
      readonly byKeyOfNow: boolean;
      /** Whether the key before it signs too. */
      readonly retiredSigns: boolean;
      /** The ids of keys that signed some of them and are no longer kept. */
      readonly goneKeys: readonly string[];
      /** The logs of other names that ended since somebody accepted that events were lost, oldest first. */
      readonly losses: readonly { readonly from: string; readonly at: Instant; readonly size: number }[];
      /** Of the witnesses that are configured, those that refused or failed when a ledger last asked. */
      readonly witnesses: readonly { readonly name: string; readonly refused: boolean; readonly detail: string }[];
    };

/** What is known beside the checkpoints. */
export type CheckpointsContext = { readonly log: ExaminedLog; readonly serves: boolean; readonly now: Instant };

/** A ledger that serves signs what it has recorded within seconds. */
const SHORT_LAG_MS = 60_000;

/** What a ledger that serves should have signed long ago; null: nothing. */
const unsigned = (signedAt: Instant | null, { log, serves, now }: CheckpointsContext): string | null => {
  if (!serves || log._tag !== 'Read') return null;
  const oldest = log.newest.findLast(
    // What has been signed was recorded before.
    ({ position, recordedAt }) =>
      log.signed === null
        ? signedAt === null || epochMsOf(recordedAt) > epochMsOf(signedAt)
        : comparePositions(position, log.signed.position) > 0,
  );
  const age = oldest === undefined ? 0 : epochMsOf(now) - epochMsOf(oldest.recordedAt);
  return age > SHORT_LAG_MS ? `events that were recorded ${spanText(age)} ago are not signed` : null;
};

const GONE_KEYS_CURE =
  'put log-keys back from a backup; where there is none, append the lines of those keys to it, as an auditor or a witness keeps them: without them nobody here can verify what they signed. The line of the key of now is written by the next start';

const UNKNOWN_CURE =
  'as it says; whether the log has what somebody outside has kept says ramp-ledger verify --checkpoint FILE. Deliveries are taken meanwhile';

const LOST_CURE =
  'run ramp-ledger verify, and bring the missing events back from a newer backup; if they are gone for good: ramp-ledger checkpoint --accept-loss NOTE';

const lost = (otherName: string | null, newest: string): DoctorCheck => {
  const under = otherName === null ? '' : ` under its name ${otherName}`;
  return wrong(NAME, `history was lost: the log does not contain what was signed${under}; ${newest}`, LOST_CURE);
};

const TREE = 'the tree of the log, in the folder log-tree, does not hold what was signed';

/** The tree follows from the log: what it lacks, the log may have. */
const damagedTree = ({ inLog, newest }: { readonly inLog: boolean | null; readonly newest: string }): DoctorCheck =>
  inLog === true
    ? wrong(
        NAME,
        `${TREE}: it is damaged, and no event is lost; ${newest}`,
        'restart the ledger, or start it: it makes the tree anew of the log',
      )
    : wrong(
        NAME,
        `${TREE}: it is damaged, or history was lost; ${newest}`,
        'ramp-ledger verify says which, and a start: where no event is lost it makes the tree anew of the log, and where some are, bring them back from a newer backup before it',
      );

const UNSIGNED_CURE =
  'make room where the disk is full; else look for "the tree of the log could not be kept" in the ledger\'s log, which says why, and mend that: it tries again within seconds; restart it only where it said so as it started';

/** Whether the log still has what was signed, and a ledger that serves signs (docs/spec/http.md, Proofs). */
export const checkpointsCheck = (seen: CheckpointsSeen, context: CheckpointsContext): DoctorCheck => {
  if (seen._tag === 'NotSigned') {
    if (seen.otherName !== null) {
      if (seen.inLog === false) return lost(seen.otherName, 'under the name of now none was signed');
      if (seen.treeLacks) return damagedTree({ inLog: seen.inLog, newest: `under the name of now none was signed` });
      return wrong(
        NAME,
        `none was signed under the name of now; under ${seen.otherName} some were, by which others know the log`,
        'unless the name was changed on purpose, which the next start completes: set LEDGER_ORIGIN, or what is in the file origin in the data directory, to that name',
      );
    }
    const behind = unsigned(null, context);
    return behind === null
      ? well(NAME, 'none was signed yet')
      : wrong(NAME, `none was signed yet, and ${behind}`, UNSIGNED_CURE);
  }
  if (seen._tag === 'Unreadable') {
    return wrong(
      NAME,
      `they can't be read (${seen.detail})`,
      seen.cure ?? 'see that this user can read the folder that DATA_DIR names',
    );
  }
  if (seen._tag === 'Unknown') {
    return wrong(
      NAME,
      `nothing is signed, since more may have been signed than is known here: ${seen.detail}`,
      UNKNOWN_CURE,
    );
  }
  if (seen._tag === 'Gone') {
    return wrong(
      NAME,
      `they are gone, and nothing is signed, since the log would be held to none of them: ${seen.detail}`,
      'put the file back as it says; where there is no copy: ramp-ledger verify --checkpoint FILE with one that somebody outside has kept, and then ramp-ledger checkpoint --accept-loss NOTE, which goes on under another name',
    );
  }
  const { size, signedAt, inLog, treeLacks, otherName, byKeyOfNow, goneKeys, retiredSigns, losses, witnesses } = seen;
  const newest = `the newest is of ${counted(size, 'event')}, signed at ${signedAt}`;
  if (inLog === false) return lost(otherName, newest);
  if (treeLacks) return damagedTree({ inLog, newest });
  const refused = witnesses.filter((witness) => witness.refused);
  if (refused.length > 0) {
    return wrong(
      NAME,
      `${refused.map(({ name, detail }) => `witness ${name} refuses to cosign: ${detail}`).join('\n')}\n${newest}`,
      'a witness saw another log than this one: run ramp-ledger verify, and compare with what the witness keeps',
    );
  }
  if (goneKeys.length > 0) {
    return wrong(
      NAME,
      `keys that signed some are missing in log-keys in the data directory: ${goneKeys.join(', ')}; ${newest}`,
      GONE_KEYS_CURE,
    );
  }
  const behind = unsigned(signedAt, context);
  if (behind !== null) return wrong(NAME, `${behind}; ${newest}`, UNSIGNED_CURE);
  const failed = witnesses.map(({ name, detail }) => `\nwitness ${name} did not cosign: ${detail}`).join('');
  const before =
    losses.length === 0
      ? ''
      : `; that events were lost was accepted before: ${counted(new Set(losses.map(({ at }) => at)).size, 'time')}`;
  const names = losses.map(
    ({ from, at, size: ended }) => `\nuntil ${at} the log was ${from}, of ${counted(ended, 'event')}`,
  );
  const key = byKeyOfNow
    ? ''
    : '\nanother key than the one of now has signed it: the next start signs it with that one too';
  const retired = retiredSigns
    ? '\nthe retired key signs too: take it out once everybody who verifies checkpoints, witnesses too, knows the new one'
    : '';
  return well(NAME, `${newest}${before}${names.join('')}${key}${retired}${failed}`);
};
