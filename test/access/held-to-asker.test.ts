import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { askedBy } from '../../src/access/asker.ts';
import { heldToAsker } from '../../src/access/held-to-asker.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { NOW, routeDependencies } from '../support/route-dependencies.ts';

type Release = ReturnType<typeof routeDependencies>['release'];

describe('a release that somebody asked for', () => {
  const REFUSED = TE.left({ _tag: 'StoreUnavailable', detail: 'it was tried' } as const);

  /** How a release ends that is made ready while its asker may ask, and whether it was tried. */
  const released = async (mayRead: boolean): Promise<string> => {
    let [isValid, tried] = [true, 0];
    const release: Release = () => () => {
      tried += 1;
      return REFUSED();
    };
    const held = heldToAsker({ store: routeDependencies().store, release });
    const made = held.release({
      bodySha256: sha256('a body'),
      releasedAt: NOW,
      requestId: branded<RequestId>('request-0001'),
    });
    isValid = mayRead;
    const ended = await askedBy({ keyId: 'a', mayRead: () => isValid }, made);
    return `${E.isLeft(ended) ? ended.left._tag : 'Right'} ${tried}`;
  };

  it('is not begun once its key is taken out', async () => {
    expect(await released(true)).to.equal('StoreUnavailable 1');
    expect(await released(false)).to.equal('AppendRefused 0');
  });
});
