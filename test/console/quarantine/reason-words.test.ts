import { expect } from 'chai';
import { textForProvider } from '../../../src/console/quarantine/reason-words.ts';
import { readContent } from '../../../src/domain/read-content.ts';
import { bodyOf, onRamp, without } from '../../support/payloads.ts';

describe('the text for the provider', () => {
  it('says of each member what is wrong, one that is not there being missing, and holds no value', () => {
    const content = readContent(bodyOf({ ...without(onRamp({ orderId: 'ord-1' }), 'fiat'), chainId: 'secret' }));
    const reasons = content._tag === 'Unreadable' ? content.reasons : expect.fail('it is readable');
    const text = textForProvider(
      { receivedAt: '2026-01-02T03:04:05.000Z', bodySha256: 'abc', orderId: 'ord-1' },
      reasons,
    );
    expect(text)
      .to.include('- fiat: missing\n')
      .and.to.match(/- chainId: expected .*, got /)
      .and.to.include('(order ord-1)')
      .and.to.include('SHA-256 of its body: abc')
      .and.not.include('secret');
  });
});
