import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { optionalText } from './plain-variable.ts';

/** What a browser can have in its `Host`: no pattern such as `*.example`, and no port that nothing listens on. */
const isOpenable = ({ hostname, port }: URL): boolean => /^(?:[\w.-]+|\[.*\])$/.test(hostname) && port !== '0';

/** An origin and nothing else: `URL` alone would take blanks, credentials and backslashes, and correct them. */
const isOrigin = (text: string): boolean =>
  /^https:\/\/[^\s/?#@\\]+\/?$/i.test(text) && URL.canParse(text) && isOpenable(new URL(text));

/**
 * Where browsers reach the ledger behind its proxy, as an origin: `https://ledger.example`. Null where it is not said.
 * Browsers keep the console's cookies for TLS alone, so it is `https` always.
 */
export const publicUrl = (env: Environment): E.Either<ConfigError, string | null> =>
  E.chain((text: string | null): E.Either<ConfigError, string | null> => {
    if (text === null) return E.right(null);
    return isOrigin(text)
      ? E.right(new URL(text).origin)
      : E.left(
          configError(
            'PUBLIC_URL',
            'it is no address that browsers could open',
            'give one such as https://ledger.example, without a path, credentials, query and fragment',
          ),
        );
  })(optionalText(env, 'PUBLIC_URL'));
