import * as t from 'io-ts';
import { parse } from 'yaml';
import { right } from '../support/right.ts';
import { repositoryFile } from '../support/repository-file.ts';

const Service = t.intersection([
  t.type({ image: t.string, profiles: t.array(t.string) }),
  t.partial({
    environment: t.record(t.string, t.string),
    env_file: t.array(t.type({ path: t.string, required: t.boolean })),
    healthcheck: t.type({ test: t.array(t.string) }),
    restart: t.string,
    volumes: t.array(t.string),
    secrets: t.array(t.union([t.string, t.type({ source: t.string, target: t.string })])),
    depends_on: t.record(t.string, t.type({ condition: t.string })),
    entrypoint: t.array(t.string),
    command: t.array(t.string),
    ports: t.array(t.string),
  }),
]);

const Compose = t.type({
  services: t.record(t.string, Service),
  volumes: t.record(t.string, t.unknown),
  secrets: t.record(t.string, t.type({ file: t.string })),
});

export type ComposeService = t.TypeOf<typeof Service>;

/** docker-compose.yml as the engine sees it, anchors and merges resolved. */
export const composeDocument = (): unknown =>
  parse(repositoryFile('docker-compose.yml'), { merge: true, strict: true });

/** The parts of docker-compose.yml that tests ask for. */
export const composeFile = (): t.TypeOf<typeof Compose> => right(Compose.decode(composeDocument()));

/** The services of a profile by name. */
export const servicesOf = (profile: string): readonly (readonly [name: string, service: ComposeService])[] =>
  Object.entries(composeFile().services).filter(([, { profiles }]) => profiles.includes(profile));

/** Whether a service is a ledger: it runs the image that this repository builds. */
export const isLedger = ({ image }: ComposeService): boolean => image.startsWith('ramp-ledger:');

/** The volume, or folder of the host, that a service has mounted at a path; undefined where there is none. */
export const mountedAt = ({ volumes = [] }: ComposeService, path: string): string | undefined =>
  volumes.find((volume) => volume.split(':')[1] === path)?.split(':')[0];
