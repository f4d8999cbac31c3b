import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { SCOPES } from '../../src/config/index.ts';
import { DocumentChecker } from '../support/document-checker.ts';
import { accepted } from '../support/answers.ts';
import { at } from '../support/naive-json.ts';
import { deliver } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Runs a program of a package with the Node that runs the tests. */
const runProgram = (
  path: string,
  args: readonly string[],
  cwd: string,
  env = {},
): Promise<{ readonly stdout: string }> =>
  run(process.execPath, [path, ...args], { cwd, env: { ...process.env, ...env } }).catch((error: unknown) => {
    throw new Error(`${path} ${args.join(' ')}: ${JSON.stringify(error)}`, { cause: error });
  });

/** Every object inside of a value. */
const objectsIn = (value: JsonValue): readonly JsonObject[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...inner] : inner;
};

describe('the OpenAPI document', () => {
  let ledger: RunningLedger;
  let text: string;
  let document: JsonObject;

  before(async () => {
    ledger = await startLedger();
    const response = await fetch(`${ledger.url}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([
      200,
      'application/json; charset=utf-8',
    ]);
    text = await response.text();
    const value: unknown = JSON.parse(text);
    document = isJsonObject(value) ? value : expect.fail('no object');
  });
  after(() => ledger.close());

  it('says of which version it is, and where that of the program stands', () => {
    expect(text).to.include('"version":"1.0.0"').and.include('The version is that of this interface');
    expect(text).to.include('ramp-ledger --version');
  });

  it('says at the cursor of orders that a list which is summed is read as of a moment', () => {
    const parameters = JSON.stringify(at(document, 'paths', '/v1/orders', 'get', 'parameters'));
    expect(parameters).to.match(/"name":"cursor"[^{}]*`asOf`[^{}]* one page/);
  });

  it('is one of OpenAPI 3.1', async () => {
    const copy: unknown = JSON.parse(text);
    if (typeof copy !== 'object' || copy === null) expect.fail('no object');
    const { valid, errors } = await new Validator().validate({ ...copy });
    expect(valid, JSON.stringify(errors)).to.equal(true);
    expect(document['openapi']).to.match(/^3\.1\.\d+$/);
  });

  it('describes the webhook, with both payloads and an example of each', () => {
    const event = objectsIn(document['webhooks'] ?? null).find(({ operationId }) => operationId === 'orderEvent');
    expect(JSON.stringify(event))
      .to.include('OnRampDelivery')
      .and.include('OffRampDelivery')
      .and.include('onRampCompleted');
    expect(JSON.stringify(event)).to.include('"name":"X-Service-Signature"');
  });

  it('names each operation once, and only scopes that exist', () => {
    const ids = objectsIn(document).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId]));
    expect(new Set(ids).size).to.equal(ids.length);
    const checker = new DocumentChecker(document);
    const scopes = checker.ids().flatMap((id) => checker.scopes(id));
    expect(scopes.filter((scope) => !SCOPES.some((known) => known === scope))).to.deep.equal([]);
  });

  it('has examples that its own schemas take', () => {
    const checker = new DocumentChecker(document);
    const holding = objectsIn(document).filter(
      ({ schema, examples }) => schema !== undefined && examples !== undefined,
    );
    let held = 0;
    for (const { schema, examples } of holding) {
      for (const { value } of objectsIn(examples ?? null).filter((example) => 'value' in example)) {
        checker.holdValue(schema ?? null, value);
        held += 1;
      }
    }
    expect(held).to.be.greaterThan(20);
  });

  it('lets a client be generated that type-checks and works', async () => {
    const folder = temporaryFolder();
    const inFolder = (name: string): string => `${folder.path}/${name}`;
    writeFileSync(inFolder('openapi.json'), text);
    copyFileSync(inRepository('docs/examples/client.ts'), inFolder('client.ts'));
    symlinkSync(inRepository('node_modules'), inFolder('node_modules'));
    writeFileSync(inFolder('package.json'), '{"type":"module"}');
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      target: 'esnext',
      lib: ['esnext', 'dom'],
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
    };
    writeFileSync(inFolder('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }));
    await runProgram(
      fileURLToPath(new URL('cli.js', import.meta.resolve('oazapfts'))),
      ['openapi.json', 'ledger.ts'],
      folder.path,
    );
    await runProgram(inRepository('node_modules/typescript/bin/tsc'), [], folder.path);
    const answer = await deliver(ledger.url, offRamp({ orderId: 'of-a-client', status: 'PayoutSuccess', utr: 'U1' }));
    const { position } = accepted(answer);
    const headers = { Authorization: `Bearer ${API_KEY}` };
    await fetch(`${ledger.url}/v1/orders?position=${position}`, { headers });
    const env = { LEDGER_URL: ledger.url, LEDGER_API_KEY: API_KEY };
    const { stdout } = await runProgram('client.ts', [], folder.path, env);
    expect(stdout.split('\n')).to.deep.equal(['of-a-client 5023.5 INR 61.25 USDT', 'INR 1 5023.5', '']);
    folder.remove();
  }).timeout(60_000);
});
