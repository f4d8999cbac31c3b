import { expect } from 'chai';
import { progressBar } from '../../../src/cli/output/progress-bar.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { gatheringTerminal } from '../../support/gathering-terminal.ts';

/** A clock that goes on by a second whenever it is looked at. */
const seconds = () => {
  let at = 0;
  return () => instantOf((at += 1_000));
};

describe('the progress bar', () => {
  it('shows share, events and events per second on a terminal, and takes itself away', () => {
    const { terminal, err: written } = gatheringTerminal({ interactive: true });
    const bar = progressBar(terminal, 'replay', seconds());
    expect(written(), 'nothing before there is progress').to.equal('');
    bar.onProgress(0.25, 12_000);
    expect(written()).to.match(/replay \[=+-+\] 25% {2}12,000 events, 12,000\/s/);
    bar.onProgress(1, 50_000);
    bar.stop();
    expect(written()).to.include('100%  50,000 events, 25,000/s');
    expect(written().endsWith('\u001b[2K'), 'the line is cleared').to.equal(true);
    expect(written(), 'a setting that a signal would leave behind').not.to.include('\u001b[?');
  });

  it('writes nothing where no person looks on', () => {
    const { terminal, err: written } = gatheringTerminal();
    const bar = progressBar(terminal, 'replay', seconds());
    bar.onProgress(0.5, 10);
    bar.stop();
    expect(written()).to.equal('');
  });

  it('writes nothing where nothing was built', () => {
    const { terminal, err: written } = gatheringTerminal({ interactive: true });
    progressBar(terminal, 'replay', seconds()).stop();
    expect(written()).to.equal('');
  });
});
