import type { DeliveryLog } from './delivery-log.ts';
import { orderScript } from './order-script.ts';

/** Workers that deliver at the same time, each an order after the other. */
const WORKERS = 32;
/** Every so many deliveries one is sent twice at the same moment. */
const TWIN_EVERY = 4;

let lastOrder = 0;

/**
 * Delivers orders without an end, each delivery after the answer to the one before it, some twice at the same moment. A
 * worker ends where no answer comes.
 *
 * @param onAnswered told after each delivery that was acknowledged
 */
export const deliverUntilItEnds = async (url: string, log: DeliveryLog, onAnswered: () => void): Promise<void> => {
  const worker = async (): Promise<void> => {
    for (;;) {
      lastOrder += 1;
      const turn = lastOrder;
      for (const [step, delivery] of orderScript(`load-${turn}`, turn).entries()) {
        const times = (turn + step) % TWIN_EVERY === 0 ? 2 : 1;
        const sent = await Promise.all(Array.from({ length: times }, () => log.send(url, delivery)));
        if (sent.some(({ answer }) => answer === null)) return;
        onAnswered();
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
};
