import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import * as t from 'io-ts';
import { InstantText } from '../../domain/instant.ts';
import { parseNatively } from '../../domain/parse-json.ts';
import type { WitnessState } from '../witness/witness-state.ts';

const States: { readonly is: t.Is<readonly WitnessState[]> } = t.readonlyArray(
  t.type({
    name: t.string,
    state: t.keyof({ waiting: null, cosigned: null, refused: null, failed: null }),
    size: t.union([t.number, t.null]),
    at: t.union([InstantText, t.null]),
    detail: t.union([t.string, t.null]),
  }),
);

const fileOf = (dataDir: string): string => join(dataDir, 'witnesses.json');

/** How it stood with the witnesses when a ledger last asked them; for commands beside it. Throws where the disk fails. */
export const readWitnessStates = (dataDir: string): readonly WitnessState[] => {
  const file = fileOf(dataDir);
  const read = existsSync(file) ? parseNatively(readOwnFile(file)) : [];
  return States.is(read) ? read : [];
};

/** Writes how it stands with the witnesses. It follows from asking them again, so nobody waits for the disk. */
export const writeWitnessStates = (dataDir: string, states: readonly WitnessState[]): void => {
  const draft = `${fileOf(dataDir)}.draft`;
  writeFileSync(draft, `${JSON.stringify(states)}\n`, { mode: 0o600 });
  renameSync(draft, fileOf(dataDir));
};
