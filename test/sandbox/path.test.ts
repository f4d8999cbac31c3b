import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { FLOWS } from '../../src/domain/flow.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import { NAMED_PATHS, readPath } from '../../src/sandbox/path.ts';
import { PLAYED_PATHS } from '../../src/sandbox/played-paths.ts';
import { right } from '../support/right.ts';

/** docs/spec/provider.md, On-ramp statuses and Off-ramp statuses; the last one is the sample's. */
const STATUSES = {
  onramp: 'fiatPending orderReceived InProgress fiatReceived transferred completed expired refunding refunded',
  offramp: 'pending orderReceived InProgress CryptoReceived fiatDeemed fiatFailed PayoutSuccess refunded completed',
};

describe('paths of orders', () => {
  it('lead with a name through every status of the interface, from the first one', () => {
    for (const flow of FLOWS) {
      const paths = [...NAMED_PATHS[flow].values()];
      const statuses = paths.flat().map(({ status }) => status);
      expect([...new Set(statuses)], flow).to.have.members(STATUSES[flow].split(' '));
      expect(new Set(paths.map(([first]) => first?.status)).size).to.equal(1);
    }
  });

  it('are all played in a run, but the one that waits for its expiry', () => {
    const played = new Set(PLAYED_PATHS.map(({ path }) => path));
    for (const flow of FLOWS) {
      for (const [name, path] of NAMED_PATHS[flow]) {
        expect(played.has(path), `${flow} ${name}`).to.equal(flow !== 'onramp' || name !== 'pending');
      }
    }
  });

  it('are read from lists of statuses; payouts behind a failed one are another attempt', () => {
    const statuses = ['pending', 'fiatDeemed', 'fiatFailed', 'fiatDeemed', 'PayoutSuccess', 'refunded'];
    expect(right(readPath('offramp', statuses)).map(({ payout }) => payout)).to.deep.equal([null, 1, 1, 2, 2, null]);
    const exact: JsonValue = [
      { status: 'fiatDeemed' },
      { status: 'fiatDeemed', utr: 'U1' },
      { status: 'PayoutSuccess', utr: null },
    ];
    expect(right(readPath('offramp', exact)).map(({ payout }) => payout)).to.deep.equal([1, 'U1', null]);
    expect(right(readPath('onramp', 'refund'))).to.equal(NAMED_PATHS.onramp.get('refund'));
  });

  it('that are none are refused in one line that names the right ones', () => {
    const wrong: readonly (readonly [JsonValue | undefined, RegExp])[] = [
      ['refnd', /^path: "refnd" is no path of onramp; expected one of completed, .*refund$/],
      ['paid', /no path of onramp/],
      [
        ['fiatPending', 'CryptoReceived'],
        /^path: "CryptoReceived" is no status of onramp; expected fiatPending, .*refunded$/,
      ],
      [[], /^path: expected a list of statuses, or one of completed/],
      [undefined, /^path: expected/],
      [{ status: 'completed' }, /^path: expected/],
      [[7], /^path: expected statuses/],
      [[{ status: 'completed', utr: 7 }], /^path: expected statuses/],
      [[{ status: 'completed', fiat: 7 }], /^path: expected statuses/],
    ];
    for (const [value, line] of wrong) {
      const read = readPath('onramp', value);
      expect(E.isLeft(read) ? read.left : read.right, JSON.stringify(value))
        .to.match(line)
        .and.not.include('\n');
    }
  });
});
