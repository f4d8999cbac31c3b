import { expect } from 'chai';
import { offRamp } from '../support/payloads.ts';
import { orderPage } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

/** More than are shown of one event. */
const MEMBERS = 250;
const SHOWN = 100;

const members = (word: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: MEMBERS }, (_, i) => [`m${String(i).padStart(3, '0')}`, `${word}-${i}`]));

const payload = (orderId: string, status: string, word: string, utr: string | null = null) =>
  offRamp({ orderId, status, utr, metaData: members(word) });

describe("an order's page at the console", () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
  });
  after(() => scene.close());

  it('says of each event how much differs, shows the first hundred members, and leads to the rest', async () => {
    await scene.deliver([[payload('large', 'fiatPending', 'first'), payload('large', 'onChainInitiated', 'second')]]);
    const { text } = await scene.ask(orderPage('large'), 'full');
    const differing = MEMBERS + 1;
    expect(text).to.include(`${differing} fields differ from event`);
    expect(text.match(/>second-\d+</g)).to.have.length.within(SHOWN - 1, SHOWN);
    expect(text.replaceAll(/\s+/g, ' ')).to.include(
      `${differing - SHOWN} more: the whole payload is with the <a href="/console/orders/large/events/1">signed bytes of event 1</a>.`,
    );
  });

  it('leads nowhere else where all that differs is shown', async () => {
    await scene.deliver([[offRamp({ orderId: 'small' }), offRamp({ orderId: 'small', status: 'onChainInitiated' })]]);
    const { text } = await scene.ask(orderPage('small'), 'full');
    expect(text)
      .to.match(/from event\s+0/)
      .and.not.to.include('the whole payload is with');
  });

  it('holds each conflict against the event that it contradicts, whichever came between', async () => {
    const said = (utr: string, fiat: number) => offRamp({ orderId: 'torn', status: 'fiatDeemed', utr, fiat });
    await scene.deliver([[said('u0', 1), said('u1', 2), said('u1', 3), said('u0', 4)]]);
    const { text } = await scene.ask(orderPage('torn'), 'full');
    const against = [...text.matchAll(/contradicts event (\d)/g)].map(([, revision]) => revision);
    expect(against).to.deep.equal(['1', '0']);
    expect(text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')).to.match(
      /Event 2 against event 1:.*Event 3 against event 0:/,
    );
  });
});
