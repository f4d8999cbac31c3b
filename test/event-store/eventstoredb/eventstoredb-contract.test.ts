import {
  openEventStoreDb,
  openEventStoreDbServing,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { EventStoreDbLocation } from '../../../src/event-store/eventstoredb/eventstoredb-location.ts';
import { localLog } from '../../../src/threads/local-log.ts';
import { eventStoreDbUnderTest } from '../../support/eventstoredb-under-test.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventStoreContract, type OpenStore } from '../event-store-contract.ts';

const opened = async (open: (place: EventStoreDbLocation) => Promise<EventStore>): Promise<OpenStore> => {
  const folder = temporaryFolder();
  const server = await eventStoreDbUnderTest();
  const place = { url: server.url, streamPrefix: server.streamPrefix, dataDir: folder.path };
  const store = await open(place);
  return {
    store,
    parted: async (upTo) =>
      right(await localLog(store, { kind: 'eventstoredb', ...place }, 'verify', upTo, () => undefined)),
    close: async () => {
      await store.close();
      await server.close();
      folder.remove();
    },
  };
};

eventStoreContract('EventStoreDB, serving', () =>
  opened(async (place) =>
    right(await openEventStoreDbServing(place, { onEvents: () => undefined, onState: () => undefined })),
  ),
);

eventStoreContract('EventStoreDB, a command or a thread', () =>
  opened((place) => Promise.resolve(right(openEventStoreDb(place)))),
);
