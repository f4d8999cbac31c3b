import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { lineNode } from '../../../projections/match/node.ts';
import { branded } from '../../../src/domain/brand.ts';
import { ownStream, type RequestId } from '../../../src/domain/ids.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { LineId } from '../../../src/domain/statement-line.ts';
import { openEventStoreDb } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { decideMatch, undecideMatch } from '../../../src/queries/reconciliation/decide-match.ts';
import { eventStoreDbUnderTest } from '../../support/eventstoredb-under-test.ts';
import { anEvent } from '../../support/stored-events.ts';
import { right } from '../../support/right.ts';
import { NOW, routeDependencies } from '../../support/route-dependencies.ts';

type Store = Parameters<typeof decideMatch>[0]['store'];

const AUTHOR = { by: 'finance', at: NOW, requestId: branded<RequestId>('0'.repeat(32)) };

/** Explains an item of so many bank lines. */
const explained = async (store: Store, lines: number) => {
  const members = Array.from({ length: lines }, (_, i) => lineNode(branded<LineId>(sha256(`line ${i}`))));
  const item = { itemId: itemIdOf(members), members, decision: null };
  const { readModels } = routeDependencies();
  const deps = {
    store,
    readModels: {
      ...readModels,
      matchDecidable: () => TE.right({ item, decision: null, named: [], facts: [] }),
    },
  };
  const answer = await decideMatch(deps, AUTHOR)(item.itemId, { decision: 'explain', note: 'a batch' })();
  return { answer, events: right(await store.readStream(ownStream('match', item.itemId))()) };
};

describe('a decision on thousands of bank lines', () => {
  let close: () => Promise<unknown>;
  const opened: { readonly name: string; readonly open: () => Promise<Store> }[] = [
    {
      name: 'a store without a limit',
      open: async () => {
        close = () => Promise.resolve();
        return Promise.resolve(routeDependencies().store);
      },
    },
    {
      name: 'EventStoreDB',
      open: async () => {
        const server = await eventStoreDbUnderTest();
        const store = right(openEventStoreDb({ ...server, dataDir: '/nowhere' }));
        close = async () => {
          await store.close();
          await server.close();
        };
        return store;
      },
    },
  ];

  afterEach(() => close());

  it('is decided again by the newest one alone, however many came before, and behind one that nobody can read', async () => {
    const store = routeDependencies().store;
    close = () => Promise.resolve();
    const decided: unknown[] = [];
    const unreadable = anEvent({ type: 'MatchDecided' });
    const aloneRead: Store = { ...store, readStream: () => expect.fail('all of the stream was read') };
    const members = [lineNode(branded<LineId>(sha256('line')))];
    const item = { itemId: itemIdOf(members), members, decision: null };
    const { readModels } = routeDependencies();
    const deps = {
      store: aloneRead,
      readModels: { ...readModels, matchDecidable: () => TE.right({ item, decision: null, named: [], facts: [] }) },
    };
    right(await store.append(ownStream('match', item.itemId), 'none', [unreadable])());
    for (const note of ['one', 'two', 'two', 'three'])
      decided.push(right(await decideMatch(deps, AUTHOR)(item.itemId, { decision: 'explain', note })()).position);
    decided.push(right(await undecideMatch(deps, AUTHOR)(item.itemId)()).position);
    const [first, ...events] = right(await store.readStream(ownStream('match', item.itemId))());
    const [one, two, three, withdrawn] = events.map(({ position }) => position);
    expect(decided).to.deep.equal([one, two, two, three, withdrawn]);
    expect(
      events.map(({ data }) => [/"after":(?:null|"([^"]*)")/.exec(data)?.[1], /"note":"(\w*)"/.exec(data)?.[1]]),
    ).to.deep.equal(events.map((_, at) => [(events[at - 1] ?? first)?.id, ['one', 'two', 'three', ''][at]]));
  });

  for (const { name, open } of opened) {
    it(`is recorded whole as long as it fits into one event, by ${name}`, async () => {
      const { answer, events } = await explained(await open(), 14_000);
      expect(right(answer).decision).to.include({ decision: 'explain', note: 'a batch' });
      expect(events).to.have.length(1);
    });

    it(`is refused where it does not, and nothing is recorded, by ${name}`, async () => {
      const { answer, events } = await explained(await open(), 15_000);
      expect(answer).to.deep.include({ left: { _tag: 'DecisionTooLarge', members: 15_000 } });
      expect(events).to.deep.equal([]);
    });
  }
});
