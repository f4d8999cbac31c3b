import { expect } from 'chai';
import { deliveredOrders, ON_RAMP } from './console-orders.ts';
import { orderPage } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { hiddenField, sendForm } from './sign-in.ts';

const PAGE = '/console/health/checkpoint';

describe('the log in the console', () => {
  let scene: ConsoleScene;
  let note: string;
  before(async () => {
    scene = await consoleScene();
    await scene.deliver(deliveredOrders(Date.now()));
    await scene.signed();
    note = (await scene.api('/v1/log/checkpoint')).text;
  });
  after(() => scene.close());

  const checked = async (checkpoint: string): Promise<string> => {
    const token = hiddenField(await scene.ask(PAGE, 'full'), 'token');
    const answer = await sendForm(scene.url, PAGE, { token, checkpoint }, { cookie: await scene.cookie('full') });
    expect(answer.status).to.equal(200);
    return answer.text.replaceAll(/\s+/g, ' ');
  };

  it('is held to a checkpoint that is pasted', async () => {
    expect(await checked(note)).to.include('The log still contains all of it');
    expect(await checked(`  ${note.replaceAll('\n', '\r\n')}\r\n`)).to.include('The log still contains all of it');
    // As it is copied out of a letter.
    expect(await checked(note.replaceAll(/^/gm, '    ').replaceAll('\n', '  \n'))).to.include('The log still contains');
    // As it was pasted, for another try.
    expect(await checked(note.replaceAll('\n', '\r\n'))).to.not.include(String.raw`\u{d}`);
    expect(await checked('nothing')).to.include('This is no signed checkpoint');
    expect(await checked(note.replaceAll('ramp-ledger/', 'another/'))).to.include('It is a checkpoint of another/');
    expect(await checked(note.replace(/\n\d+\n/, '\n1\n'))).to.include('key has not signed it');
  });

  it('is known by its key, which the page shows', async () => {
    const { text } = await scene.ask(PAGE, 'full');
    expect(text).to.include((await scene.api('/v1/log/key')).text.trimEnd());
  });

  it('shows the place of an event, and the way to the signed root', async () => {
    const { text } = await scene.ask(`${orderPage(ON_RAMP)}/events/0`, 'full');
    const { text: proof } = await scene.api(`/v1/proofs/inclusion?orderId=${ON_RAMP}&revision=0`);
    const hashes = [...proof.matchAll(/"([A-Za-z0-9+/]{43}=)"/g)].map(([, hash = '']) => hash);
    expect(hashes.length).to.be.greaterThan(3);
    for (const hash of hashes) expect(text).to.include(hash);
    expect(text.replaceAll(/<[^>]+>/g, '')).to.match(/leaf \d+ of\s+checkpoint\s+\d+/);
    expect(text).to.include('<svg');
  });
});
