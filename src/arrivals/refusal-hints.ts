import { countsSince, parted, type ArrivalsSeen } from './arrivals-seen.ts';

const DAY = 86_400_000;

/** What a pattern among refused deliveries points at, and what to do. */
export type RefusalHint = { readonly about: string; readonly hint: string };

/** What the refused deliveries of the last day point at, the most likely cause first. */
export const refusalHints = (seen: ArrivalsSeen, nowMs: number): readonly RefusalHint[] => {
  const counts = countsSince(seen, nowMs - DAY);
  const { accepted } = parted(counts);
  const count = (code: string): number => counts[code] ?? 0;
  const hints: RefusalHint[] = [];
  const isRewritten = seen.refused.some(({ atMs, rewritten }) => rewritten && atMs >= nowMs - DAY);
  if (count('signature-mismatch') > 0) {
    if (isRewritten) {
      hints.push({
        about: 'Your proxy changes the body',
        hint: 'The signature is right for the same JSON written another way. Let the proxy hand bodies on byte for byte; if the provider itself signs re-written JSON, set WEBHOOK_SIGNED_FORM=json.',
      });
    } else if (accepted === 0) {
      hints.push({
        about: 'Signed with another secret',
        hint: 'No delivery of the last day had a right signature. Compare the API secret (not the client id) in the merchant dashboard with WEBHOOK_SECRETS, letter by letter.',
      });
    } else {
      hints.push({
        about: 'Some are signed with another secret, or are forged',
        hint: 'Others are accepted. If the provider is changing its secret, add the new one to WEBHOOK_SECRETS beside the old one; else somebody else is sending.',
      });
    }
  }
  if (count('signature-missing') + count('signature-malformed') > 0) {
    hints.push({
      about: 'The signature does not arrive',
      hint: 'See that the proxy hands the signature header on, and that WEBHOOK_SIGNATURE_HEADER names the one that the provider sends. Scanners send none.',
    });
  }
  if (count('too-old') > 0) {
    hints.push({
      about: 'The clock',
      hint: 'Deliveries say that they are older than WEBHOOK_MAX_AGE_SECONDS. See that the clock of this machine is right; else deliveries come again that somebody recorded.',
    });
  }
  if (count('unsupported-media-type') > 0) {
    hints.push({
      about: 'Not JSON, or compressed on the way',
      hint: 'A delivery is application/json without a content encoding. See that the proxy changes neither.',
    });
  }
  if (count('body-timeout') + count('body-incomplete') > 0) {
    hints.push({
      about: 'Bodies do not arrive whole',
      hint: 'The connection ends, or stalls, before the body does: see the time limits and the buffers of the proxy.',
    });
  }
  if (count('body-too-large') > 0) {
    hints.push({
      about: 'Bodies are too large',
      hint: 'See what is sent; WEBHOOK_MAX_BODY_BYTES may be raised to 524288.',
    });
  }
  if (count('not-durable') + count('overloaded') > 0) {
    hints.push({
      about: 'The ledger could not take them',
      hint: 'The provider sends them again, and nothing is lost. Run "ramp-ledger doctor", and repair what it names.',
    });
  }
  return hints;
};
