/** What the libraries say of a connection over TLS that did not come about, and what that means to who set the ledger up. */
const TROUBLES: readonly (readonly [said: RegExp, means: string])[] = [
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    "the node's certificate is for another host: name it in EVENT_STORE_URL as its certificate does, and see what it gossips as its own name",
  ],
  [
    /certificate has expired|CERT_HAS_EXPIRED|certificate is not yet valid/i,
    "the node's certificate is out of date: renew it, or set the clock right",
  ],
  [
    /self-signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/i,
    "nobody whom the ledger knows has signed the node's certificate: add tlsCAFile=FILE, its authority's certificate, to EVENT_STORE_URL",
  ],
  [
    /wrong version number|packet length too long/i,
    'the node speaks no TLS: see the port in EVENT_STORE_URL; add tls=false where the server has no security',
  ],
];

/** What to do about a connection over TLS that did not come about; null where an error says nothing of that. */
export const tlsTrouble = (error: string): string | null => TROUBLES.find(([said]) => said.test(error))?.[1] ?? null;
