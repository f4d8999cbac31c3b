import { branded, type Brand } from '../../src/domain/brand.ts';
import { guardedText } from '../../src/domain/guarded.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { shortDigest } from '../../src/domain/short-digest.ts';
import { nodeOf, type NodeName } from './node.ts';

/** What names an item: 40 lower-case hex digits over what is in it, so that it stays as long as that does. */
export type ItemId = Brand<string, 'ItemId'>;

const DIGEST = 12;
const HEX = 40;

export const isItemId = (text: string): text is ItemId => /^[0-9a-f]{40}$/.test(text);

export const ItemIdText = guardedText('item id', isItemId);

const digestText = (digest: number): string => digest.toString(16).padStart(DIGEST, '0');

/** @param members in code-unit order. The id begins with the short digest of the first order, by which it is found again. */
export const itemIdOf = (members: readonly NodeName[]): ItemId => {
  const first = members.map(nodeOf).find(({ kind }) => kind === 'order');
  const begin = digestText(first === undefined ? 0 : shortDigest(first.id));
  return branded<ItemId>(begin + sha256(JSON.stringify(members)).slice(0, HEX - DIGEST));
};

/** The short digest of the order that an item is found by. */
export const orderDigestOf = (itemId: ItemId): number => Number.parseInt(itemId.slice(0, DIGEST), 16);
