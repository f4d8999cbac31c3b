import type { EventMetadata } from '../../domain/event-metadata.ts';
import { factList } from '../fact-list.ts';
import { html, type Html } from '../html.ts';
import { copied } from './order-facts.ts';

/** One argument of a shell command, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The commands that fetch signed bytes and compute their signature with nothing but curl and openssl
 * (docs/spec/provider.md, Webhook signature). `bytesPath`: where the API has them. No secret is in them: they are read
 * from files.
 */
export const proofCommands = (origin: string, bytesPath: string, bodySha256: string): string =>
  [
    `curl --fail --silent --show-error -H "Authorization: Bearer $(cat api-key)" \\`,
    `  -o ${bodySha256}.body \\`,
    `  ${quoted(origin + bytesPath)}`,
    `openssl dgst -sha256 -r ${bodySha256}.body`,
    `openssl dgst -sha256 -hmac "$(cat webhook-secret)" -r ${bodySha256}.body`,
  ].join('\n');

/** How anybody can prove an event by hand, and what must come out. */
export const proof = (commands: string, metadata: EventMetadata): Html => html`
  <section>
    <h2>Prove it by hand</h2>
    <p>
      Put an API key with the scopes audit:read and pii:read into the file <code>api-key</code>, and the provider's
      secret <code>${metadata.secretId}</code> into <code>webhook-secret</code>. The first command fetches the bytes;
      the second must print their digest, the third the signature that the provider sent.
    </p>
    <pre class="commands" tabindex="0"><code>${commands}</code></pre>
    <button class="copy" type="button" data-copy="${commands}" hidden>Copy the commands</button>
    ${factList(
      [
        ['SHA-256 of the body', copied(metadata.bodySha256)],
        ['Signature', copied(metadata.signature)],
        ['Secret', metadata.secretId],
        ['Request id', copied(metadata.requestId)],
      ],
      'wide',
    )}
  </section>
`;
