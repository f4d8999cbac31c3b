import { orderStream } from '../../domain/ids.ts';
import { escapeOf, withUnseenShown } from '../../domain/unseen-characters.ts';
import { parseCheckpoint } from '../checkpoint.ts';
import { parseNote } from '../signed-note.ts';
import type { Evidence } from './evidence.ts';
import { soMany } from '../../domain/so-many.ts';

const eventLine = ({ revision, type, metadata, leafIndex }: Evidence['events'][number]): string =>
  `  ${revision}  ${type}, received ${metadata.receivedAt}, leaf ${leafIndex} of the log\n`;

/** A text of others, as the explanation quotes it. */
const quoted = (text: string): string => withUnseenShown(JSON.stringify(text), escapeOf);

/** What no proof shows: that no event of the order stands between the tree that ends with its last one and the checkpoint. */
const unproven = (stream: string, from: number, size: number): string =>
  from === size
    ? `4. That tree is the checkpoint's: there is no leaf behind the order's last one that could be another event of it.`
    : `4. The ledger states, by its signature of SHA256SUMS, that the other ${size - from} leaves of the checkpoint's tree, behind those
   ${from}, have no event of the stream ${stream}. That is its word, and no proof: a ledger that lies
   could leave the newest events of the order out, and all checks below would hold. Whoever mirrors the log sees each
   leaf: one behind leaf ${from - 1} that names this stream convicts the ledger, by its own signature.`;

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
  const stream = quoted(orderStream(orderId));
  return `EVIDENCE OF ONE ORDER

Order:       ${quoted(orderId)}
Ledger:      ${origin}
Its key:     ${key}
Checkpoint:  ${soMany(size, 'event')}, root ${root.toString('base64')}
Signed at:   ${signedAt}, by the clock of the ledger

Its events, oldest first:
${events.map(eventLine).join('')}
This folder holds personal data: the bodies of the events, and order.json.

IN SHORT

This is what a ledger has recorded of one order: each message of the payment provider about it, as it came, and in which
order they came. It is sealed. Where a message was changed, taken out from among the others or put in between, the check
says so. Open verify.html in a browser, and give it the ZIP as you got it. "It holds": nothing was altered. "IT DOES NOT
HOLD": do not rely on it. The seal shows that it was made with a key, and not whose key that is ("The key", below).

An event is one such message. The log is the list of all events of the ledger, those of other orders too, and a leaf is
a line of it. A checkpoint is the signature of the ledger under the first so many lines.

WHAT IT SHOWS

1. Each event is what the ledger received and kept. Its body is the provider's, byte for byte; its signature
   (HMAC-SHA256) is the provider's too. Who has the webhook secret can compute it again.
2. Each event stands in the ledger's log. The log is a Merkle tree (RFC 6962), and the checkpoint is its root, signed by
   the ledger. Nobody can change an event, take one out or put one in between without another root.
3. The history is complete as of the tree of ${completeAt.treeSize} leaves, of which this order's last event is the last
   one. Revisions count from 0 without a gap, and stand in the log in their order. That tree is the beginning of the
   checkpoint's tree: the hashes for it are in evidence.json (completeAt).
${unproven(stream, completeAt.treeSize, size)}

WHAT IT DOES NOT SHOW

- That the key is the ledger's. Somebody who makes all of this up signs it with a key of his own, and then everything
  below holds. Only a key that you know from elsewhere tells: "The key" below says where from, and how to compare.
- That everybody is shown the same log. Compare the checkpoint with one that somebody else has: the ledger proves that
  one is the beginning of the other (/v1/proofs/consistency). Cosignatures of witnesses, where the checkpoint has any,
  say that they did just that.
- That the provider, and not the holder of the ledger, signed the bodies: both know the webhook secret.
- What happened after the checkpoint, and what was never delivered to the ledger.
- When something was received, beyond the word of the ledger.

THE KEY

It is the line in ledger-key.txt. Compare it with one that did not come with this ZIP:
- the answer of the ledger's own address, /v1/log/key, which needs no password;
- a contract, a letter, or evidence that you were given before there was anything to argue about;
- one line that somebody kept: an earlier checkpoint of ${origin}. This key must have signed it too.
The key holds for one name of the log. Whose it is nobody can compute: it has to be known.

HOW TO CHECK IT

With a browser:   open verify.html, and give it the ZIP and the key that you know. It needs no network. Somebody who forges
                  evidence can forge the page in it as well: take the page of another evidence of this ledger, or one that
                  you trust, where it matters.
With the ledger's program, anywhere:   ramp-ledger verify-evidence FILE.zip --key "$(cat key-that-you-know.txt)"
With openssl and a shell, in this folder: the commands between lines of dashes, as they stand, from the first to the last.
What is wrong is said in CAPITALS, or by openssl. With the key that you know in a file, first:

   cmp key-that-you-know.txt ledger-key.txt && echo 'the key is the one that you know'

a. What openssl takes for the key is the key of the line, and the checkpoint is of the log with its name.

----
export LC_ALL=C
work=$(mktemp -d)
{ printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'
  cut -d + -f 3- ledger-key.txt | openssl base64 -d -A | tail -c 32; } > "$work/key.line"
openssl pkey -pubin -in ledger-key.pem -outform DER -out "$work/key.pem"
cmp -s "$work/key.line" "$work/key.pem" && echo 'ledger-key.pem is the key of the line in ledger-key.txt' ||
  echo 'LEDGER-KEY.PEM IS NOT THE KEY OF THE LINE IN ledger-key.txt'
test "$(head -n 1 checkpoint.txt)" = "$(cut -d + -f 1 ledger-key.txt)" || echo 'THE CHECKPOINT IS OF ANOTHER LOG'
----

b. No file of the list was changed, none was added to those of events, and the ledger has signed the list. What else lies
   in this folder, whoever put it there, is named: nobody vouches for it.

----
sha256sum --check --quiet SHA256SUMS && echo 'the files are those of the list'
test "$(find events -type f | sort)" = "$(cut -c 67- SHA256SUMS | grep '^events/' | sort)" ||
  echo 'THE FILES OF EVENTS ARE NOT THOSE OF THE LIST'
{ cut -c 67- SHA256SUMS; echo SHA256SUMS; echo SHA256SUMS.sig; } | sort > "$work/listed"
find . ! -type d | cut -c 3- | sort | comm -13 "$work/listed" - | sed 's/^/no part of the evidence: /' | cat -v
openssl pkeyutl -verify -pubin -inkey ledger-key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
----

c. The ledger has signed the checkpoint. (Its own signature is the first one.)

----
sed '/^$/,$d' checkpoint.txt > "$work/checkpoint.signed"
sed '1,/^$/d' checkpoint.txt | head -n 1 | sed 's/.* //' | openssl base64 -d -A | tail -c 64 > "$work/checkpoint.sig"
openssl pkeyutl -verify -pubin -inkey ledger-key.pem -rawin -in "$work/checkpoint.signed" \\
  -sigfile "$work/checkpoint.sig"
----

d. Each event is the one whose digest stands in its leaf, and the leaf is in the tree of the checkpoint: this computes
   the root from each leaf, and compares.

----
root=$(sed -n 3p checkpoint.txt)
has() { grep -qF "$2" "$1"; }
digest() { sha256sum < "$1" | cut -c 1-64; }
leaf() { { printf '\\000'; cat "$1"; } | openssl dgst -sha256 -binary > "$work/node"; }
up() {
  echo "$2" | openssl base64 -d > "$work/sibling"
  case $1 in
    left) { printf '\\001'; cat "$work/sibling" "$work/node"; } ;;
    right) { printf '\\001'; cat "$work/node" "$work/sibling"; } ;;
  esac | openssl dgst -sha256 -binary > "$work/parent"
  mv "$work/parent" "$work/node"
}
for event in events/*; do
  data=$event/body
  test ! -e $event/data.json || data=$event/data.json
  has $event/leaf.json "\\"recordSha256\\":\\"$(digest $event/record.json)\\"" &&
    has $event/record.json "\\"$(digest $data)\\",1," && has $event/record.json "\\"$(digest $event/body)\\"" &&
    has $event/record.json "\\"$(cat $event/signature.txt)\\"" || echo "$event: ITS DIGESTS DO NOT FIT"
  leaf $event/leaf.json
  while read -r side hash; do up "$side" "$hash"; done < $event/path.txt
  test "$(openssl base64 < "$work/node")" = "$root" && echo "$event is in the log" || echo "$event IS NOT IN THE LOG"
done
----

e. The revisions follow each other from 0, all of one stream, and the ledger has signed the tree that ends with the last
   of them (3 above). In that tree only hashes on the left are above its last leaf, and they are those of the checkpoint.
   (cat -v shows bytes that are no plain letters as M-…, so that no name steers your terminal.)

----
stream=$(sed 's/.*,"stream":\\(.*\\),"type":.*/\\1/' events/0/leaf.json)
next=0
for revision in $(ls events | sort -n); do
  test "$revision" = $next && has events/$revision/leaf.json ",\\"revision\\":$next,\\"stream\\":$stream,\\"type\\":" ||
    printf '%s\\n' "events/$revision: IT IS NOT REVISION $next OF $stream" | cat -v
  leaf events/$revision/leaf.json
  last=events/$revision
  next=$((next + 1))
done
while read -r side hash; do test "$side" != left || up left "$hash"; done < $last/path.txt
printf '%b' "$(sed -n 's/^    "checkpoint": "\\(.*\\)",$/\\1/p' evidence.json)" > "$work/then.txt"
sed '/^$/,$d' "$work/then.txt" > "$work/then.signed"
sed '1,/^$/d' "$work/then.txt" | head -n 1 | sed 's/.* //' | openssl base64 -d -A | tail -c 64 > "$work/then.sig"
openssl pkeyutl -verify -pubin -inkey ledger-key.pem -rawin -in "$work/then.signed" -sigfile "$work/then.sig"
test "$(openssl base64 < "$work/node")" = "$(sed -n 3p "$work/then.txt")" &&
  printf '%s\\n' "$stream: revisions 0 to $((next - 1)) are its history as of $(sed -n 2p "$work/then.txt") leaves" | cat -v ||
  echo 'THE HISTORY DOES NOT END WITH A TREE THAT THE LEDGER HAS SIGNED'
----

f. With the webhook secret, of the name that stands in record.json, in a file: the provider's signature of each body.

   for event in events/*; do
     test "$(openssl dgst -sha256 -hmac "$(cat secret.txt)" -r $event/body | cut -c 1-64)" = "$(tr A-F a-f < $event/signature.txt)" &&
       echo "$event: the signature fits" || echo "$event: THE SIGNATURE DOES NOT FIT"
   done

THE FILES

  evidence.json         all of it for programs: metadata, leaf indexes, hashes of the proofs, what 3 above rests on
  order.json            the order as the ledger showed it; that these events give it is the ledger's word here, and
                        computed again by verify-evidence
  checkpoint.txt        the checkpoint: a signed note (C2SP tlog-checkpoint)
  ledger-key.txt, .pem  the key that verifies it, as a line and for openssl
  events/N/body         the bytes that the provider signed; signature.txt is the signature that came with them
  events/N/record.json  what the ledger keeps of the event, by digests; events/N/data.json, where there is one, is the
                        data that it keeps beside the body, whose digest is the fourth member of record.json
  events/N/leaf.json    the leaf, and path.txt the hashes from there to the root, each with the side on which it stands
  SHA256SUMS, .sig      the digests of all files, and the ledger's signature of that list
`;
};
