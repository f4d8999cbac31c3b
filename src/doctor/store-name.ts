import type { EventStoreLocation } from '../config/config.ts';

const SERVER = /^(?<scheme>[a-z+]+:\/\/)(?:[^@]*@)?(?<hosts>[^@/?]*)/;

/** An event store as people may see it: its file, or its hosts, never the user, password or options of its URL. */
export const storeName = (location: EventStoreLocation): string => {
  if (location.kind === 'sqlite') return `sqlite:${location.file}`;
  const { scheme = '', hosts = '' } = SERVER.exec(location.url)?.groups ?? {};
  const prefix = location.streamPrefix === '' ? '' : `, streams that begin with ${location.streamPrefix}`;
  return `${scheme}${hosts}${prefix}`;
};
