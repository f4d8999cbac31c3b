import { expect } from 'chai';
import { API_KEY, READER_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { chunk, head, LAST_CHUNK, openWire } from '../support/wire.ts';

/** Beyond what anybody's small chunks may be, and come again meanwhile. */
const LINES = 60_000;

describe('a file that a client sends line by line, each as a chunk of its own', () => {
  let ledger: RunningLedger;
  const upload = async (key: string) => {
    const wire = openWire(ledger.url);
    const headers = { host: 'localhost', authorization: `Bearer ${key}`, 'transfer-encoding': 'chunked' };
    const line = chunk(Buffer.from(`${'x'.repeat(99)}\n`));
    wire.write(head('POST /v1/statements HTTP/1.1', headers));
    wire.write(Buffer.concat(Array.from({ length: LINES }, () => line)));
    wire.write(LAST_CHUNK);
    const [answer] = await wire.answered(1);
    wire.cut();
    const said: unknown = JSON.parse(answer?.text ?? '');
    return said;
  };

  before(async () => {
    const env = { API_KEYS: `bank:statements:write=${API_KEY},reader:orders:read=${READER_KEY}` };
    ledger = await startLedger({ env });
  });
  after(() => ledger.close());

  it('is read to its end where its sender has shown a key for it', async () => {
    expect(await upload(API_KEY)).to.include({ status: 422, code: 'statement-unreadable' });
  });

  it('is not where the key is not one for it', async () => {
    expect(await upload(READER_KEY)).to.include({ status: 403 });
  });
});
