import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { lineNode } from '../../../projections/match/node.ts';
import { branded } from '../../../src/domain/brand.ts';
import { ownStream, type RequestId } from '../../../src/domain/ids.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { LineId } from '../../../src/domain/statement-line.ts';
import { decideMatch } from '../../../src/queries/reconciliation/decide-match.ts';
import { right } from '../../support/right.ts';
import { NOW, routeDependencies } from '../../support/route-dependencies.ts';

const MEMBERS = [lineNode(branded<LineId>(sha256('a line')))];
const ITEM = { itemId: itemIdOf(MEMBERS), members: MEMBERS, decision: null };
const NOTE = 'a.person@example.com says so';

/** An item of one line that is there until it is taken away. */
const scene = () => {
  const { store, readModels } = routeDependencies();
  let isThere = true;
  const deps = {
    store,
    readModels: {
      ...readModels,
      matchDecidable: () => TE.right({ item: isThere ? ITEM : null, decision: null, named: [], facts: [] }),
    },
  };
  return {
    takeAway: () => {
      isThere = false;
    },
    /** What a decision is answered with: whose it is, or the failure. */
    decided: async (by: string, note: string): Promise<string> => {
      const author = { by, at: NOW, requestId: branded<RequestId>('a-request') };
      const answer = await decideMatch(deps, author)(ITEM.itemId, { decision: 'explain', note })();
      return E.isLeft(answer) ? answer.left._tag : (answer.right.decision?.by ?? 'nobody');
    },
    events: async (): Promise<number> => right(await store.readStream(ownStream('match', ITEM.itemId))()).length,
  };
};

describe('a decision that comes again', () => {
  it('of the same key changes nothing, whether its item is still there or not', async () => {
    const { decided, takeAway, events } = scene();
    expect(await decided('finance', NOTE)).to.equal('finance');
    expect(await decided('finance', NOTE)).to.equal('finance');
    takeAway();
    expect(await decided('finance', NOTE)).to.equal('finance');
    expect(await events()).to.equal(1);
  });

  it('of an item that is gone tells a key that did not write its note nothing of a guess, right or wrong', async () => {
    const { decided, takeAway } = scene();
    await decided('finance', NOTE);
    takeAway();
    expect(await decided('guesser', NOTE)).to.equal('NotFound');
    expect(await decided('guesser', 'another')).to.equal('NotFound');
  });

  it('of an item that is there is noted as that of the key that makes it, whoever had made it before', async () => {
    const { decided, events } = scene();
    await decided('finance', NOTE);
    expect(await decided('guesser', NOTE)).to.equal('guesser');
    expect(await events()).to.equal(2);
  });
});
