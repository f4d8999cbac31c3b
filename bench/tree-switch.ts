/**
 * Loaded into each thread of a ledger before anything else (`node --import`). While the folder that `BENCH_TREE` names has a
 * file `hold`, the keeper of the log's tree is handed nothing; the next batch behind that brings it all that it missed. So one
 * process can be measured by turns with the tree and without. What the tree takes of its thread for events that were not held
 * up is written to `used`, as JSON `{events, us}`, whenever a hold begins.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { CheckpointSigner } from '../src/proofs/checkpoint-signer.ts';
import { TreeWriter } from '../src/proofs/files/tree-writer.ts';
import { LogKeeper } from '../src/proofs/log-keeper.ts';
import { threadTime } from './thread-time.ts';

/** Lets something else be done where a method is called; it is handed the call itself. */
const instead = (prototype: object, name: string, done: (call: () => unknown, given: readonly unknown[]) => void) => {
  const own: unknown = Reflect.get(prototype, name);
  if (typeof own !== 'function') throw new Error(`there is no ${name} any more`);
  Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]): void {
    done((): unknown => Reflect.apply(own, this, given), given);
  });
};

const switchTree = (folder: string): void => {
  const [hold, used] = [join(folder, 'hold'), join(folder, 'used')];
  const missed: (() => unknown)[] = [];
  let [events, us, isCounting] = [0, 0, false];

  /** Counts the processor time of a call; those inside of it are counted with it. */
  const counted = (call: () => unknown): void => {
    if (isCounting) {
      call();
      return;
    }
    isCounting = true;
    const before = threadTime();
    try {
      call();
    } finally {
      us += threadTime() - before;
      isCounting = false;
    }
  };

  /** What comes this late was forgotten by the projections, and is no part of what the tree takes while it serves. */
  const catchUp = (): void => {
    isCounting = true;
    for (const take of missed.splice(0)) take();
    isCounting = false;
  };

  instead(LogKeeper.prototype, 'take', (take, [, batch]) => {
    if (existsSync(hold)) {
      missed.push(take);
      if (missed.length === 1) writeFileSync(used, JSON.stringify({ events, us }));
      return;
    }
    catchUp();
    events += Array.isArray(batch) ? batch.length : 0;
    counted(take);
  });
  instead(TreeWriter.prototype, 'flush', counted);
  instead(CheckpointSigner.prototype, 'sign', counted);
};

const folder = process.env['BENCH_TREE'];
if (!isMainThread && folder !== undefined) switchTree(folder);
