import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { signedCheckpoint } from '../../src/proofs/checkpoint.ts';
import { handedInCheckpoint } from '../../src/proofs/handed-in-checkpoint.ts';
import { EMPTY_ROOT } from '../../src/proofs/merkle-tree.ts';
import { noteVerifier } from '../../src/proofs/signed-note.ts';

describe('a checkpoint that is handed in', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const origin = 'log.example/kept';
  const known = { origin, keys: [noteVerifier(origin, privateKey)], losses: [] };
  const note = signedCheckpoint({ origin, signingKey: privateKey, retiredKey: null }, 7, EMPTY_ROOT);

  const problemOf = (written: string): string | null => {
    const read = handedInCheckpoint(written, known);
    return E.isLeft(read) ? read.left.problem : null;
  };

  it('is read as people copy it', () => {
    for (const copied of [note, note.trimEnd(), note.replaceAll('\n', '\r\n'), `\ufeff${note}\n`, `  ${note}`]) {
      expect(problemOf(copied), JSON.stringify(copied)).to.equal(null);
    }
  });

  it('is none where more was done to it', () => {
    for (const other of ['', `${note}\n${note}`, `${note}more\n`, JSON.stringify(note), note.replaceAll('\n', ' ')]) {
      expect(problemOf(other), other).to.equal('checkpoint-unreadable');
    }
    for (const other of [note.replace('\n7\n', '\n8\n'), note.replace(`${origin}\n7`, 'log.example/other\n7')]) {
      expect(problemOf(other), other).to.equal('checkpoint-not-of-this-log');
    }
  });
});
