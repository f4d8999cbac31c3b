import { expect } from 'chai';
import { shownFailure } from '../../src/console/shown-failure.ts';

describe('a failure as a page shows it', () => {
  it('promises nothing that a ledger which could not answer cannot know', () => {
    const { nextStep } = shownFailure({ _tag: 'StoreUnavailable', detail: 'away' });
    expect(nextStep).to.equal('Load the page again in a moment; Health says what is away.');
    const { nextStep: ofDeed } = shownFailure({
      _tag: 'NotRecorded',
      failure: { _tag: 'StoreUnavailable', detail: 'away' },
    });
    expect(ofDeed).to.equal('Nothing was recorded. Send it again in a moment; Health says what is away.');
  });
});
