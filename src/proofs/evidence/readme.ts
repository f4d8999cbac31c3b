import { orderStream } from '../../domain/ids.ts';
import { parseCheckpoint } from '../checkpoint.ts';
import { parseNote } from '../signed-note.ts';
import type { Evidence } from './evidence.ts';

const eventLine = ({ revision, type, metadata, leafIndex }: Evidence['events'][number]): string =>
  `  ${revision}  ${type}, received ${metadata.receivedAt}, leaf ${leafIndex} of the log\n`;

/**
 * What evidence shows and what it does not, in plain words, with commands that work in the folder that the ZIP was unpacked
 * to. Blocks between lines of dashes are commands.
 */
export const readmeText = ({ orderId, key, checkpoint, signedAt, completeAt, events }: Evidence): string => {
  const { origin, size, root } = parseCheckpoint(parseNote(checkpoint)?.text ?? '') ?? {
    origin: '',
    size: 0,
    root: Buffer.alloc(0),
  };
  const stream = JSON.stringify(orderStream(orderId));
  return `EVIDENCE OF ONE ORDER

Order:       ${JSON.stringify(orderId)}
Ledger:      ${origin}
Its key:     ${key}
Checkpoint:  ${size} events, root ${root.toString('base64')}
Signed at:   ${signedAt}, by the clock of the ledger

Its events, oldest first:
${events.map(eventLine).join('')}
This folder holds personal data: the bodies of the events, and order.json.

WHAT IT SHOWS

1. Each event is what the ledger received and kept. Its body is the provider's, byte for byte; its signature
   (HMAC-SHA256) is the provider's too. Who has the webhook secret can compute it again.
2. Each event stands in the ledger's log. The log is a Merkle tree (RFC 6962), and the checkpoint is its root, signed by
   the ledger. Nobody can change an event, take one out or put one in between without another root.
3. The history is complete as of the tree of ${completeAt.treeSize} leaves, of which this order's last event is the last
   one. Revisions count from 0 without a gap, and stand in the log in their order. That tree is the beginning of the
   checkpoint's tree: the hashes for it are in evidence.json (completeAt).
4. The ledger states, by its signature of SHA256SUMS, that the log up to the checkpoint (${size} leaves) has no other
   event of the stream ${stream}. Whoever mirrors the log can see whether that is true: a leaf that names the stream
   between ${completeAt.treeSize} and ${size} would convict the ledger, by its own signature.

WHAT IT DOES NOT SHOW

- That the key is the ledger's. Compare the line in ledger-key.txt with one that you got another way: from the ledger's
  /v1/log/key, a contract, an earlier checkpoint. Without that, all of this could have been made by anybody.
- That everybody is shown the same log. Compare the checkpoint with one that somebody else has: the ledger proves that
  one is the beginning of the other (/v1/proofs/consistency). Cosignatures of witnesses, where the checkpoint has any,
  say that they did just that.
- That the provider, and not the holder of the ledger, signed the bodies: both know the webhook secret.
- What happened after the checkpoint, and what was never delivered to the ledger.
- When something was received, beyond the word of the ledger.

HOW TO CHECK IT

With a browser:   open verify.html, and give it the ZIP. It needs no network. Somebody who forges evidence can forge the
                  page in it as well: take the page of another evidence of this ledger, or one that you trust, where it
                  matters.
With the ledger's program, anywhere:   ramp-ledger verify-evidence FILE.zip --key "$(cat key-that-you-trust.txt)"
With openssl and a shell, in this folder:

a. No file was changed, and the ledger has signed the list of them.

----
sha256sum --check --quiet SHA256SUMS && echo 'the files are those of the list'
openssl pkeyutl -verify -pubin -inkey ledger-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
----

b. The ledger has signed the checkpoint. (Its own signature is the first one.)

----
work=$(mktemp -d)
sed '/^$/,$d' checkpoint.txt > "$work/checkpoint.signed"
sed '1,/^$/d' checkpoint.txt | head -n 1 | sed 's/.* //' | openssl base64 -d -A | tail -c 64 > "$work/checkpoint.sig"
openssl pkeyutl -verify -pubin -inkey ledger-key.pem -rawin -in "$work/checkpoint.signed" \\
  -sigfile "$work/checkpoint.sig"
----

c. Each event is the one whose digest stands in its leaf, and the leaf is in the tree of the checkpoint: this computes
   the root from each leaf, and compares.

----
root=$(sed -n 3p checkpoint.txt)
for event in events/*; do
  grep -q "\\"recordSha256\\":\\"$(sha256sum < $event/record.json | cut -c 1-64)\\"" $event/leaf.json &&
    grep -q "\\"$(sha256sum < $event/body | cut -c 1-64)\\"" $event/record.json &&
    grep -q "\\"$(cat $event/signature.txt)\\"" $event/record.json || echo "$event: ITS DIGESTS DO NOT FIT"
  { printf '\\000'; cat $event/leaf.json; } | openssl dgst -sha256 -binary > "$work/node"
  while read -r side hash; do
    echo "$hash" | openssl base64 -d > "$work/sibling"
    case $side in
      left) { printf '\\001'; cat "$work/sibling" "$work/node"; } ;;
      right) { printf '\\001'; cat "$work/node" "$work/sibling"; } ;;
    esac | openssl dgst -sha256 -binary > "$work/parent"
    mv "$work/parent" "$work/node"
  done < $event/path.txt
  test "$(openssl base64 < "$work/node")" = "$root" && echo "$event is in the log" || echo "$event IS NOT IN THE LOG"
done
----

d. With the webhook secret, of the name that stands in record.json, in a file: the provider's signature of each body.

   for event in events/*; do
     test "$(openssl dgst -sha256 -hmac "$(cat secret.txt)" -r $event/body | cut -c 1-64)" = "$(cat $event/signature.txt)" &&
       echo "$event: the signature fits" || echo "$event: THE SIGNATURE DOES NOT FIT"
   done

THE FILES

  evidence.json         all of it for programs: metadata, leaf indexes, hashes of the proofs, what 3 above rests on
  order.json            the order as the ledger showed it, made of these events
  checkpoint.txt        the checkpoint: a signed note (C2SP tlog-checkpoint)
  ledger-key.txt, .pem  the key that verifies it, as a line and for openssl
  events/N/body         the bytes that the provider signed; signature.txt is the signature that came with them
  events/N/record.json  what the ledger keeps of the event, by digests; events/N/data.json, where there is one, is the
                        data that it keeps beside the body, whose digest is the fourth member of record.json
  events/N/leaf.json    the leaf, and path.txt the hashes from there to the root, each with the side on which it stands
  SHA256SUMS, .sig      the digests of all files, and the ledger's signature of that list
`;
};
