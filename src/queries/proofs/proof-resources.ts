import * as t from 'io-ts';
import { count, text } from '../resources/values.ts';

const hashes = t.readonlyArray(text('Base64, as in a checkpoint.'));

/** That an event is in the log (docs/spec/http.md, Proofs). */
export const InclusionResource = t.strict(
  {
    leaf: text('The leaf, exactly as it is hashed: UTF-8 text of a JSON object.'),
    leafIndex: count('Its index in the tree, from 0.'),
    treeSize: count('How many leaves the tree has.'),
    rootHash: text('The root of the tree: base64.'),
    hashes,
    checkpoint: text('The signed checkpoint of exactly this size.'),
  },
  'InclusionProof',
);

/** That a tree is the beginning of another one. */
export const ConsistencyResource = t.strict(
  {
    from: count('The size of the smaller tree.'),
    to: count('The size of the larger one.'),
    fromRoot: text('The root of the smaller tree: base64.'),
    toRoot: text('The root of the larger one: base64.'),
    hashes,
  },
  'ConsistencyProof',
);
