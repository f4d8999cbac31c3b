import { expect } from 'chai';
import { leftOut, mostUsed } from '../../../src/console/overview/most-used.ts';
import { pageText } from '../../../src/console/html.ts';
import { onRamp } from '../../support/payloads.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';

const MOST = 40;
const ALL = 45;

const sumsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ currency: `C${i}`, orders: (i * 7) % count }));

describe('the overview of many currencies', () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
  });
  after(() => scene.close());

  it('has lines for those with the most orders, in the order of the table, and says how many others there are', async () => {
    expect(mostUsed(sumsOf(MOST))).to.deep.equal({ shown: sumsOf(MOST), left: 0 });
    const { shown, left } = mostUsed(sumsOf(ALL));
    expect(left).to.equal(ALL - MOST);
    expect(shown).to.deep.equal(sumsOf(ALL).filter(({ orders }) => orders >= ALL - MOST));
    expect(leftOut(0, '/report')).to.equal(null);
    const text = await pageText(leftOut(1, '/report') ?? expect.fail('nothing is said'));
    expect(text.replaceAll(/\s+/g, ' ')).to.include(
      'And 1 more currency with fewer orders: <a href="/report">the report</a>',
    );
  });

  it('has no more of them on its page, whatever the provider sends as a currency', async () => {
    const now = new Date().toISOString();
    await scene.deliver(
      Array.from({ length: ALL }, (_, i) => [
        onRamp({ currency: `X${String(i).padStart(3, '0')}`, status: 'completed', createdAt: now }),
      ]),
    );
    const { text } = await scene.ask('/', 'full');
    const page = text.replaceAll(/\s+/g, ' ');
    const told = page.match(/And 5 more currencies with fewer orders/g) ?? [];
    expect(told).to.have.length(2);
    const lines = page.match(/<td>Last 30 days<\/td> <th scope="row">X\d{3}</g) ?? [];
    expect(lines).to.have.length(MOST);
  });
});
