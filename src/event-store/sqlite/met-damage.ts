import { guarded } from '../../domain/guarded.ts';

/** Memory that the threads of a ledger share: 1 once one of them met a page of the file of events that is not what was written. */
export type SharedDamage = Int32Array<SharedArrayBuffer>;

export const SharedDamageData = guarded(
  'shared damage',
  (u): u is SharedDamage => u instanceof Int32Array && u.buffer instanceof SharedArrayBuffer,
);

/** Whether any thread met damage in the file of events. It stays so until a start: a page that went bad does not get well by itself. */
export class MetDamage {
  readonly shared: SharedDamage;

  constructor(shared: SharedDamage = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    this.shared = shared;
  }

  /** It was met. */
  readonly mark = (): void => {
    Atomics.store(this.shared, 0, 1);
  };

  /** Whether it was met. */
  readonly isMet = (): boolean => Atomics.load(this.shared, 0) !== 0;
}
