import type { SecretId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Checkpoint } from '../../read-models/read-models.ts';

/** Whether something works now; if not, why, in the words of the program that fails. */
type Working = { readonly ready: true } | { readonly ready: false; readonly detail: string };

/** Deliveries that wait for the event store on this machine. */
export type SpoolHealth = {
  /** Whether what it held at the start is still being counted: at least so many then. */
  readonly isCounting: boolean;
  readonly depth: number;
  /** Those that the store refused for good. */
  readonly setAside: number;
  /** When the first of those that wait was received; null where none waits, or where it is not known yet. */
  readonly oldestReceivedAt: Instant | null;
  readonly bytes: number;
  readonly limitBytes: number;
};

type ReadModelsHealth = {
  /** Number of the generation that serves; null before one does. */
  readonly generation: number | null;
  /** The share of a build that is done, 0 to 1; null: none is under way. */
  readonly building: number | null;
  readonly checkpoint: Checkpoint | null;
  /** The age of the first event that they lack, 0 where they lack none; null: not known now. */
  readonly lagSeconds: number | null;
};

/** How it stands with a witness. */
export type WitnessHealth = {
  readonly name: string;
  readonly state: 'waiting' | 'cosigned' | 'refused' | 'failed';
  /** Of the last checkpoint that it was asked for. */
  readonly size: number | null;
  readonly at: Instant | null;
  readonly detail: string | null;
};

/** How far the log is signed. */
export type SignedHealth =
  | { readonly _tag: 'Signed'; readonly size: number; readonly at: Instant }
  /** The log lacks what was signed. */
  | { readonly _tag: 'Lost'; readonly detail: string }
  | { readonly _tag: 'NotYet'; readonly detail: string | null };

/** A webhook secret by its id; what it is stays where it is. */
export type SecretHealth = {
  readonly id: SecretId;
  /** Whether deliveries that are signed with it are accepted, or it only proves old events. */
  readonly accepted: boolean;
  /** Null: not since the start. */
  readonly lastUsedAt: Instant | null;
};

/** A thread that is down; it is started again, with pauses. */
export type ThreadHealth = {
  readonly name: string;
  readonly since: Instant;
  /** In the words of what failed. Null: it lives, and answers nothing. */
  readonly problem: string | null;
};

/** How a ledger is. What is not known now is null. */
export type LedgerHealth = {
  readonly version: string;
  readonly node: string;
  readonly startedAt: Instant;
  /** Whether a delivery could be accepted now. */
  readonly deliveries: Working;
  readonly eventStore: {
    readonly kind: 'sqlite' | 'eventstoredb';
    readonly working: Working;
    /** Whether a page of its file is damaged: what needs it is not answered. */
    readonly isDamaged: boolean;
    /** The position of the last event; null for an empty log too. */
    readonly head: string | null;
  };
  /** Null where there is none. */
  readonly spool: SpoolHealth | null;
  readonly readModels: ReadModelsHealth;
  readonly signed: SignedHealth;
  /** Those that are asked to cosign checkpoints. */
  readonly witnesses: readonly WitnessHealth[];
  /** Those that don't work now. */
  readonly threadsDown: readonly ThreadHealth[];
  readonly dataDiskFreeBytes: number | null;
  readonly secrets: readonly SecretHealth[];
};
