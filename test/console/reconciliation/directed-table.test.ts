import { expect } from 'chai';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import { handIn, readAs } from '../hand-in.ts';

const HEADER = 'Date,Narration,Ref,Amount';
const ROW = '10/03/2026,PAYOUT,UTR000000001,100.00';

describe('the preview of a bank’s table whose amounts have no sign', () => {
  let scene: ConsoleScene;
  before(async () => {
    scene = await consoleScene();
  });
  after(() => scene.close());

  const read = async (header: string, word: string, said: Readonly<Record<string, string>> = {}): Promise<string> => {
    const cookie = await scene.cookie('full');
    const content = [`${HEADER},${header}`, `${ROW},${word}`, ''].join('\r\n');
    const { headers } = await handIn(scene.url, cookie, { name: 'bank.csv', content });
    const { text } = await readAs(scene.url, cookie, String(headers['location']), {
      account: 'ACC-1',
      currency: 'INR',
      ...said,
    });
    return text.replaceAll(/\s+/g, ' ');
  };

  it('reads the direction by a column whose header and cells say it, and shows that it does', async () => {
    const text = await read('Dr / Cr', 'DR');
    expect(text).to.include('<option value="direction" selected>In or out, by a word</option>');
    expect(text).to.include('<td>out</td>');
    expect(text).to.include('&quot;direction&quot;:&quot;Dr / Cr&quot;');
  });

  it('refuses it by the name of the column where that is not chosen, and reads it once it is', async () => {
    const uses = {
      use0: 'date',
      use1: 'text',
      use2: 'reference',
      use3: 'amount',
      skipRows: '0',
      dateFormat: 'dd/mm/yyyy',
    };
    const refused = await read('Booking', 'Withdrawal', { ...uses, use4: '' });
    expect(refused).to.include('would be refused whole').and.include('<code>Booking</code>');
    expect(await read('Booking', 'Withdrawal', { ...uses, use4: 'direction' })).to.include('<td>out</td>');
  });

  it('says why a direction does not go with columns of credits and debits', async () => {
    const uses = {
      use0: 'date',
      use1: 'text',
      use2: 'debit',
      use3: 'credit',
      use4: 'direction',
      dateFormat: 'dd/mm/yyyy',
    };
    expect(await read('Booking', 'DR', uses)).to.include('direction: it stands beside credit and debit');
  });
});
