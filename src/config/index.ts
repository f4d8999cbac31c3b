export { configErrorLine, type ConfigError } from './config-error.ts';
export type { Config, Secrets, UpstreamVariables } from './config.ts';
export type { Environment } from './environment.ts';
export { eventStoreNamed } from './event-store-location.ts';
export { loadConfig, type LoadedConfig } from './load-config.ts';
export { isLoopback } from './loopback.ts';
export { SCOPES } from './scope.ts';
export { watchSecrets } from './watch-secrets.ts';
export { upstreamSettings, type UpstreamSettings } from './upstream-settings.ts';
