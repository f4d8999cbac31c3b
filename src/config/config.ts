import type { SecretId, Sha256 } from '../domain/ids.ts';
import type { LogIdentity } from '../proofs/checkpoint.ts';
import type { LogLevel } from '../telemetry/log-level.ts';
import type { ChainNode } from './chain-nodes.ts';
import type { MatchVariables } from './match-variables.ts';
import type { WitnessSetting } from './ledger-witnesses.ts';
import type { Scope } from './scope.ts';

/** A webhook secret as a key for HMAC-SHA256: the UTF-8 bytes of its text, 24 or more. */
export type WebhookSecret = { readonly id: SecretId; readonly key: Buffer };

/** Ids are unique across both lists. */
export type SecretSet = {
  /** Accepted for deliveries. */
  readonly active: readonly WebhookSecret[];
  /** No longer accepted; they re-verify old events. */
  readonly retired: readonly WebhookSecret[];
};

/** A key that callers authenticate with; of the key itself only the SHA-256 of its bytes is kept. */
export type ApiKey = { readonly id: string; readonly scopes: ReadonlySet<Scope>; readonly sha256: Sha256 };

/** What can change without a restart. */
export type Secrets = { readonly webhook: SecretSet; readonly apiKeys: readonly ApiKey[] };

/** Where read models, or events, are kept on this machine; `file` is absolute. */
export type StoreLocation = { readonly kind: 'sqlite'; readonly file: string };

/** Where events are kept. A connection string may hold a password: it is for the client of the store, and for nothing else. */
export type EventStoreLocation =
  | StoreLocation
  | { readonly kind: 'eventstoredb'; readonly url: string; readonly streamPrefix: string };

/** How the provider is called; null where it is not said (docs/spec/configuration.md, Provider). */
export type UpstreamVariables = {
  /** Without a slash at its end. */
  readonly baseUrl: string | null;
  /** The body of the login: a JSON object, as it was written. A secret. */
  readonly loginJson: string | null;
  /** What tokens must say of their issuer and audience. */
  readonly issuer: string | null;
  readonly audience: string | null;
  /** Where the keys are that prove tokens. */
  readonly jwksUrl: string | null;
};

/** The environment, decoded (docs/spec/configuration.md, Environment). */
export type Config = {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Where browsers reach the ledger: an origin, such as `https://ledger.example`; null where that is not said. */
  readonly publicUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly eventStore: EventStoreLocation;
  readonly readModel: StoreLocation;
  /** What deliveries that wait for the event store may take on this machine. */
  readonly spoolMaxBytes: number;
  /** How long a delivery waits for an event store on another machine that is silent, in ms. */
  readonly spoolAfterMs: number;
  readonly webhooks: {
    readonly signatureHeader: string;
    readonly signedForm: 'bytes' | 'json';
    readonly maxBodyBytes: number;
    /** Null: no replay protection. */
    readonly maxAgeSeconds: number | null;
  };
  /** How many queries an API key may ask in a minute. */
  readonly queriesPerMinute: number;
  readonly upstream: UpstreamVariables;
  /** What checkpoints are signed with; null before the first start. */
  readonly logIdentity: LogIdentity | null;
  /** Who is asked to cosign checkpoints. */
  readonly witnesses: readonly WitnessSetting[];
  /** Where transfers are looked up, in the order in which they are tried. */
  readonly chainNodes: readonly ChainNode[];
  /** An IANA zone, as it was written. */
  readonly businessTimeZone: string;
  readonly match: MatchVariables;
  readonly logLevel: LogLevel;
  /** As of the load; watchSecrets hands over later ones. */
  readonly secrets: Secrets;
};
