import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { EMPTY_ROOT } from '../../src/proofs/merkle-tree.ts';
import { cosignatureVerifier, noteText, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import type { WitnessAnswer } from '../../src/proofs/witness/add-checkpoint.ts';
import { AskedWitness, type Offer } from '../../src/proofs/witness/ask-witness.ts';
import { cosign } from '../../src/proofs/witness/cosignature.ts';
import type { WitnessState } from '../../src/proofs/witness/witness-state.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { until } from '../support/until.ts';

const WITHIN_MS = 5_000;
const AGAIN_MS = 5;

describe('a witness that is asked', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const verifier = cosignatureVerifier('witness.example/asked', privateKey);
  const witness = { verifier, line: verifierLine(verifier), url: 'http://witness.example' };
  const identity = { origin: 'log.example/asked', signingKey: privateKey, retiredKey: null };
  const offered = (size: number): Offer => ({ size, note: signedCheckpoint(identity, size, EMPTY_ROOT) });

  /** A witness that does not know the log at first, and then remembers the size of it. */
  const memory = () => {
    let isKnown = false;
    let seen = 0;
    const asked: number[] = [];
    const post = (_url: string, body: string): Promise<WitnessAnswer> => {
      const text = parseNote(body.slice(body.indexOf('\n\n') + 2))?.text ?? expect.fail('no note');
      const size = Number(text.split('\n')[1]);
      asked.push(size);
      if (!isKnown) return Promise.resolve({ status: 404, body: '' });
      if (Number(/^old (\d+)/.exec(body)?.[1]) !== seen) return Promise.resolve({ status: 409, body: `${seen}\n` });
      seen = size;
      const signature = cosign(text, verifier, privateKey, 1_679_315_147);
      return Promise.resolve({ status: 200, body: noteText({ text: '', signatures: [signature] }).slice(1) });
    };
    return { asked, post, know: () => (isKnown = true) };
  };

  const asking = (post: ReturnType<typeof memory>['post']) => {
    const states: WitnessState[] = [];
    const one = new AskedWitness(witness, 0, {
      post,
      consistency: () => [],
      now: systemClock(),
      onState: (state) => states.push(state),
      onCosigned: () => undefined,
      againMs: AGAIN_MS,
    });
    const reaches = (state: WitnessState['state'], size: number): Promise<true> =>
      until(WITHIN_MS, `${state} ${size}`, () => {
        const last = states.at(-1);
        return Promise.resolve(last?.state === state && last.size === size ? true : null);
      });
    return { one, states, reaches };
  };

  it('is asked again about what it did not cosign, until it does', async () => {
    const { post, know, asked } = memory();
    const { one, reaches } = asking(post);
    one.offer(offered(3));
    await reaches('failed', 3);
    await until(WITHIN_MS, 'another try', () => Promise.resolve(asked.length > 2 ? true : null));
    know();
    await reaches('cosigned', 3);
    one.close();
  });

  it('is asked about no checkpoint again that a newer one has followed, which it would have to refuse', async () => {
    const { post, know, asked } = memory();
    const { one, states, reaches } = asking(post);
    one.offer(offered(3));
    // Two come while it is asked: the newest counts.
    one.offer(offered(4));
    one.offer(offered(5));
    await reaches('failed', 5);
    know();
    one.offer(offered(9));
    await reaches('cosigned', 9);
    // Another one is asked again for longer than the first would be about what it did not cosign.
    const deaf = memory();
    const other = asking(deaf.post);
    other.one.offer(offered(1));
    await until(WITHIN_MS, 'two more tries of another one', () => Promise.resolve(deaf.asked.length > 2 ? true : null));
    other.one.close();
    expect(asked.at(-1)).to.equal(9);
    expect(states.some(({ state }) => state === 'refused')).to.equal(false);
    expect(asked.includes(4)).to.equal(false);
    one.close();
  });
});
