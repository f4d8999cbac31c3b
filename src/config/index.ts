export { configErrorLine } from './config-error.ts';
export type { Config, Secrets } from './config.ts';
export type { Environment } from './environment.ts';
export { eventStoreNamed } from './event-store-location.ts';
export { loadConfig, type LoadedConfig } from './load-config.ts';
export { SCOPES } from './scope.ts';
export { watchSecrets } from './watch-secrets.ts';
export { upstreamSettings } from './upstream-settings.ts';
