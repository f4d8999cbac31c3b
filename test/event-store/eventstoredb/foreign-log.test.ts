import { expect } from 'chai';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { append, aStream, openScene, proposed } from './store-scene.ts';

/** More than is looked at one by one, from the end. */
const OTHERS = 50_100;

describe('EventStoreDB: a log that others write to', () => {
  it('finds the head behind much that others wrote, and knows that there is none', async () => {
    const scene = await openScene();
    try {
      const store = scene.command();
      const { position } = await append(store, aStream(), 'none', anEvent());
      scene.double.log.write(
        'others-1',
        Array.from({ length: OTHERS }, () => proposed()),
      );
      expect(right(await store.head()())).to.equal(position);
      expect(right(await scene.command({}, 'nobody-').head()())).to.equal(null);
    } finally {
      await scene.close();
    }
  });
});
