import { branded, type Brand } from '../../src/domain/brand.ts';
import { guardedText } from '../../src/domain/guarded.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { LineId } from '../../src/domain/statement-line.ts';
import type { TransferId } from '../../src/domain/transfer.ts';

/** What items are made of, named: `order:…`, `line:…`, `transfer:…`. */
export type NodeName = Brand<string, 'NodeName'>;

/** A node taken apart. */
export type MatchNode =
  | { readonly kind: 'order'; readonly id: OrderId }
  | { readonly kind: 'line'; readonly id: LineId }
  | { readonly kind: 'transfer'; readonly id: TransferId };

export const orderNode = (id: OrderId): NodeName => branded<NodeName>(`order:${id}`);
export const lineNode = (id: LineId): NodeName => branded<NodeName>(`line:${id}`);
export const transferNode = (id: TransferId): NodeName => branded<NodeName>(`transfer:${id}`);

export const nodeOf = (name: NodeName): MatchNode => {
  const at = name.indexOf(':');
  const id = name.slice(at + 1);
  const kind = name.slice(0, at);
  if (kind === 'order') return { kind, id: branded<OrderId>(id) };
  return kind === 'line' ? { kind, id: branded<LineId>(id) } : { kind: 'transfer', id: branded<TransferId>(id) };
};

export const NodeNameText = guardedText('node', (text): text is NodeName => /^(?:order|line|transfer):./su.test(text));
