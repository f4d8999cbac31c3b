import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.ts';

/** A filter of a subscription to `$all`. */
export type EventFilter = {
  readonly matches: (event: LoggedEvent) => boolean;
  /** Records considered from one checkpoint to the next. */
  readonly checkpointEvery: number;
};

const DEFAULT_WINDOW = 32;

const matcher = (expression: streams.ReadReq.Options.FilterOptions.Expression): ((text: string) => boolean) => {
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  const regex = new RegExp(expression.getRegex());
  return (text) => regex.test(text);
};

/** A filter from the wire, by stream name or by event type; the checkpoint interval counts windows. */
export const eventFilter = (options: streams.ReadReq.Options.FilterOptions): EventFilter => {
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  const checkpointEvery = window * Math.max(1, options.getCheckpointintervalmultiplier());
  const byStream = options.getStreamIdentifier();
  const byType = options.getEventType();
  const matchesStream = byStream === undefined ? () => true : matcher(byStream);
  const matchesType = byType === undefined ? () => true : matcher(byType);
  return { checkpointEvery, matches: ({ stream, type }) => matchesStream(stream) && matchesType(type) };
};
