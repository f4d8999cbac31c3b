import { quarantineStream, type EventId } from '../../src/domain/ids.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { bodyOf } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { right } from '../support/right.ts';

/** The route of the list; those of one delivery stand below it. */
export const LIST = '/v1/quarantine';
/** The scopes of the list, of the bytes, and of what is done. */
export const READ = 'audit:read';
export const BYTES = 'audit:read+pii:read';
export const WRITE = 'quarantine:write';
/** The id of no event. */
export const UNKNOWN = '00000000-0000-5000-8000-000000000000';

/** The routes of the quarantine over a store of their own for each test, and how a test gets at what is in it. */
export const quarantineRoutes = () => {
  let api: ServedApi;
  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());
  return {
    api: () => api,
    /** Puts a text away, unread; the id of its event. */
    give: async (text: string): Promise<EventId> => (await deliverUnaware(api.store, bodyOf(text))).event.eventId,
    /** The id of the event that put a body away. */
    idOf: async (body: Buffer): Promise<string> =>
      right(await api.store.readStream(quarantineStream(sha256(body)))())[0]?.id ?? '',
    /** Asks for a release. */
    asked: async (eventId: string): Promise<{ readonly status: number; readonly text: string }> => {
      const response = await api.ask(`${LIST}/${eventId}/release`, WRITE, { method: 'POST' });
      return { status: response.status, text: await response.text() };
    },
  };
};
