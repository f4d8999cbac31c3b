import * as E from 'fp-ts/lib/Either.js';
import { isItemId } from '../../projections/match/item-id.ts';
import { NodeNameText } from '../../projections/match/node.ts';
import type { MatchDecidedData } from '../domain/own-event/match-events.ts';
import { readOwnEvent } from '../domain/own-event/own-event.ts';
import type { OwnMetadata } from '../domain/own-event/own-metadata.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { MatchChange } from './match-change.ts';

const decided = (data: MatchDecidedData, { by, receivedAt }: OwnMetadata): readonly MatchChange[] => {
  const { itemId, decision, note, with: named } = data;
  const [group, apart] = [data.group.filter(NodeNameText.is), data.apart.filter(NodeNameText.is)];
  if (!isItemId(itemId)) return [];
  if (decision === 'withdrawn') return [{ _tag: 'TakenBack', itemId }];
  return [
    {
      _tag: 'Decided',
      decision: { itemId, decision, with: named, note, by, at: receivedAt, group, apart, facts: data.facts ?? null },
    },
  ];
};

/** What an event says to the match: nothing, where it is of something else or can't be read. */
export const matchChange = (recorded: RecordedEvent): readonly MatchChange[] => {
  const read = readOwnEvent(recorded);
  if (E.isLeft(read)) return [];
  const event = read.right;
  return event._tag === 'MatchDecided' ? decided(event.data, event.metadata) : [];
};
