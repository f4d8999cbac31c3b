import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { EMPTY_ROOT } from '../../src/proofs/merkle-tree.ts';
import { cosignatureVerifier, noteText, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import type { Witness } from '../../src/proofs/witness/add-checkpoint.ts';
import { cosign } from '../../src/proofs/witness/cosignature.ts';
import type { WitnessState } from '../../src/proofs/witness/witness-state.ts';
import { Witnesses } from '../../src/proofs/witness/witnesses.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';

describe('the witnesses of a ledger that is started again', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const witnessOf = (name: string): Witness => {
    const verifier = cosignatureVerifier(name, privateKey);
    return { verifier, line: verifierLine(verifier), url: 'http://witness.example' };
  };

  it('are shown with what they have cosigned last, and are not asked about it', () => {
    const [one, other] = [witnessOf('witness.example/one'), witnessOf('witness.example/other')];
    const note = signedCheckpoint({ origin: 'log.example', signingKey: privateKey, retiredKey: null }, 7, EMPTY_ROOT);
    const parsed = parseNote(note) ?? expect.fail('no note');
    const signature = cosign(parsed.text, one.verifier, privateKey, 1_679_315_147);
    const cosigned = noteText({ ...parsed, signatures: [...parsed.signatures, signature] });
    const kept = { origin: 'log.example', size: 7, root: EMPTY_ROOT, note: cosigned, signedAt: systemClock()() };
    const states: WitnessState[] = [];
    const asked: string[] = [];
    const witnesses = new Witnesses([one, other], {
      log: { checkpoints: () => [kept], consistency: () => [], addCosignature: () => undefined },
      post: (url) => {
        asked.push(url);
        return Promise.resolve({ status: 500, body: '' });
      },
      onState: (state) => states.push(state),
      now: systemClock(),
    });
    witnesses.offer(kept);
    expect(states).to.deep.equal([
      { name: one.verifier.name, state: 'cosigned', size: 7, at: '2023-03-20T12:25:47.000Z', detail: null },
    ]);
    expect(asked.length).to.equal(1);
    witnesses.close();
  });
});
