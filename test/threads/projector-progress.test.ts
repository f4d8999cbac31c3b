import { expect } from 'chai';
import { behind, ProjectorProgress } from '../../src/threads/projector-progress.ts';

const LONG_MS = 60_000;

describe('what is answered from', () => {
  it('is not waited for where the store is away and nothing can be believed without it, whichever is known first', async () => {
    let away: string | null = null;
    const progress = new ProjectorProgress(() => away);
    const early = progress.absent(LONG_MS);
    progress.fail();
    away = 'it is gone';
    // It fails again each second.
    progress.fail();
    const unavailable = { _tag: 'ReadModelsUnavailable', detail: 'it is gone', isStoreAway: true };
    expect(await early).to.deep.equal(unavailable);
    expect(await progress.absent(LONG_MS)).to.deep.equal(unavailable);
  });

  it('is waited for before it is known whether something can be believed, and while the store is there', async () => {
    let away: string | null = 'it is gone';
    const progress = new ProjectorProgress(() => away);
    const standing = progress.absent(LONG_MS);
    progress.serve(7, null);
    progress.fail();
    expect(await standing).to.equal(null);
    expect(await progress.absent(LONG_MS)).to.equal(null);

    const other = new ProjectorProgress(() => away);
    other.fail();
    away = null;
    const built = other.absent(LONG_MS);
    other.serve(8, null);
    expect(await built).to.equal(null);
  });

  it('is said to be behind where nothing came in time, or to wait for a store that is away', async () => {
    let away: string | null = null;
    const progress = new ProjectorProgress(() => away);
    expect(await progress.absent(1)).to.deep.equal({
      _tag: 'ReadModelsUnavailable',
      detail: behind(progress).detail,
    });
    away = 'it is silent';
    expect(await progress.absent(1)).to.include({ detail: 'it is silent', isStoreAway: true });
  });
});
