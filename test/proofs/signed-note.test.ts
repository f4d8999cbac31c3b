import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { checkpointText, parseCheckpoint, signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { leafHash } from '../../src/proofs/merkle-tree.ts';
import {
  checkNote,
  isKeyName,
  noteText,
  noteVerifier,
  parseNote,
  parseVerifierLine,
  signNote,
  verifierLine,
} from '../../src/proofs/signed-note.ts';

/** The example of the package that first defined the format, with its key. */
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

/** Of a fixed seed, so that its notes can be compared. */
const signingKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});

const noteIn = (written: string) => parseNote(written) ?? expect.fail('no note');
const verifierIn = (line: string) => parseVerifierLine(line) ?? expect.fail('no verifier');

describe('signed notes', () => {
  it('of others are checked with the key that they are given with', () => {
    expect(checkNote(noteIn(NOTE), verifierIn(KEY))).to.deep.equal(E.right(TEXT));
    expect(verifierLine(verifierIn(KEY))).to.equal(KEY);
    expect(noteText(noteIn(NOTE))).to.equal(NOTE);
    const known = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
    expect(verifierLine(verifierIn(known))).to.equal(known);
  });

  it('hold for the text and the key that signed it, and for no others', () => {
    const other = noteVerifier('log.example/1', generateKeyPairSync('ed25519').privateKey);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zé 0-9]{0,20}$/), (line) => {
        const text = `${line}\n`;
        const note = noteIn(noteText(signNote(text, 'log.example/1', signingKey)));
        const verifier = verifierIn(verifierLine(noteVerifier('log.example/1', signingKey)));
        expect(checkNote(note, verifier)).to.deep.equal(E.right(text));
        expect(checkNote({ ...note, text: `x${text}` }, verifier)).to.deep.equal(E.left('signature-wrong'));
        expect(checkNote(note, other)).to.deep.equal(E.left('signature-missing'));
        expect(checkNote(note, { ...other, keyId: verifier.keyId })).to.deep.equal(E.left('signature-wrong'));
        expect(checkNote(note, { ...verifier, name: 'log.example/2' })).to.deep.equal(E.left('signature-missing'));
      }),
    );
  });

  it('are refused where they are ill-formed', () => {
    for (const written of [
      '',
      TEXT,
      NOTE.slice(0, -1),
      NOTE.replace('— ', '- '),
      NOTE.replace('x08', 'x0'),
      `\u0000${NOTE}`,
      NOTE.replace('\n\n', '\n'),
      `${NOTE}\n`,
    ]) {
      expect(parseNote(written), JSON.stringify(written)).to.equal(null);
    }
    for (const line of ['', 'a+b+c', KEY.replace('c74f', 'c74e'), KEY.replace('+AR', '+BR'), KEY.slice(0, -4)]) {
      expect(parseVerifierLine(line), line).to.equal(null);
    }
    expect(['', 'a b', 'a+b', 'a\nb'].some(isKeyName)).to.equal(false);
  });
});

describe('checkpoints', () => {
  const root = leafHash(Buffer.from('root'));

  it('are read as they were written, extensions apart', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        const checkpoint = { origin: 'ramp-ledger/0123', size, root };
        const text = checkpointText(checkpoint);
        expect(parseCheckpoint(text)).to.deep.equal(checkpoint);
        expect(parseCheckpoint(`${text}an extension\n`)).to.deep.equal(checkpoint);
      }),
    );
  });

  it('are refused where they are ill-formed', () => {
    const text = checkpointText({ origin: 'o', size: 12, root });
    for (const wrong of [
      '',
      text.slice(0, -1),
      text.replace('12', '012'),
      text.replace('12', '-1'),
      text.replace('=', ''),
      text.slice(2),
      text.replace('12', '9007199254740993'),
    ]) {
      expect(parseCheckpoint(wrong), wrong).to.equal(null);
    }
  });

  it('of one size and root are the same note each time', () => {
    const identity = { origin: 'ramp-ledger/0123', signingKey, retiredKey: null };
    const note = signedCheckpoint(identity, 5, root);
    expect(signedCheckpoint(identity, 5, root)).to.equal(note);
    expect(checkNote(noteIn(note), noteVerifier(identity.origin, signingKey))).to.deep.equal(
      E.right(checkpointText({ origin: identity.origin, size: 5, root })),
    );
  });
});
