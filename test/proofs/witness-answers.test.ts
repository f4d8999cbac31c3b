import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { EMPTY_ROOT } from '../../src/proofs/merkle-tree.ts';
import { cosignatureVerifier, noteText, parseNote, verifierLine } from '../../src/proofs/signed-note.ts';
import { readAnswer } from '../../src/proofs/witness/add-checkpoint.ts';
import { cosign } from '../../src/proofs/witness/cosignature.ts';

describe('the answer of a witness', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const verifier = cosignatureVerifier('witness.example/answers', privateKey);
  const witness = { verifier, line: verifierLine(verifier), url: 'http://witness.example' };
  const note = signedCheckpoint({ origin: 'log.example/a', signingKey: privateKey, retiredKey: null }, 7, EMPTY_ROOT);

  const said = (old: number, status: number, body: string): readonly [string, string | number] => {
    const verdict = readAnswer(witness, { note, size: 7, old }, { status, body });
    if (verdict._tag === 'Cosigned') return [verdict._tag, verdict.at];
    return [verdict._tag, verdict._tag === 'Knows' ? verdict.size : verdict.detail];
  };

  it('is an alarm where it saw another tree, named or not, and none where it only is elsewhere', () => {
    expect(said(3, 409, '5\n')).to.deep.equal(['Knows', 5]);
    expect(said(0, 409, '7\n')).to.deep.equal(['Knows', 7]);
    for (const [old, status, body, detail] of [
      [7, 409, '7\n', 'it saw another log of 7 events'],
      [7, 409, '', 'it saw another log of 7 events'],
      [7, 409, 'the root hashes differ\n', 'it saw another log of 7 events'],
      [3, 409, '9\n', 'it saw a log of 9 events, and this one has 7'],
      [3, 422, '', 'the tree of 3 events that it saw is not the beginning of this log'],
    ] as const) {
      expect(said(old, status, body)).to.deep.equal(['Refused', detail]);
    }
    for (const [status, body] of [
      [409, ''],
      [409, 'many\n'],
      [404, ''],
      [403, ''],
      [500, ''],
      [200, ''],
      [200, note],
    ] as const) {
      expect(said(3, status, body)[0], `${status} ${body}`).to.equal('Failed');
    }
  });

  it('is no alarm where it saw nothing of the log, or names what it was told', () => {
    for (const [old, status, body] of [
      [0, 422, ''],
      [0, 409, '0\n'],
      [3, 409, '3\n'],
    ] as const) {
      expect(said(old, status, body)[0], `${old} ${status}`).to.equal('Failed');
    }
    const empty = signedCheckpoint(
      { origin: 'log.example/a', signingKey: privateKey, retiredKey: null },
      0,
      EMPTY_ROOT,
    );
    const ofNone = readAnswer(witness, { note: empty, size: 0, old: 0 }, { status: 409, body: '' });
    expect(ofNone._tag).to.equal('Failed');
  });

  it('is a cosignature by the key that is known, among whatever others', () => {
    const text = parseNote(note)?.text ?? expect.fail('no note');
    const own = cosign(text, verifier, privateKey, 1_679_315_147);
    const other = { ...own, name: 'witness.example/other' };
    const lines = noteText({ text: '', signatures: [other, own] }).slice(1);
    expect(said(3, 200, lines)).to.deep.equal(['Cosigned', '2023-03-20T12:25:47.000Z']);
    const wrong = cosign(text.replace('\n7\n', '\n8\n'), verifier, privateKey, 1_679_315_147);
    expect(said(3, 200, noteText({ text: '', signatures: [wrong] }).slice(1))[0]).to.equal('Failed');
  });
});
