/** A name has 253 characters at the most (RFC 1035, 2.3.4), an address in brackets fewer, and a port stands behind it. */
const LONGEST = 300;

const PLAIN = /^[\x21-\x24\x26-\x7e]+$/;
const PLAIN_OR_ESCAPED = /^[\x21-\x7e]*$/;

/**
 * Whether the host of a URL, with its port, may be given to a parser of URLs: visible ASCII without an escape, as browsers and
 * programs send names of any script, and no longer than names are. What is more than that is spelled in ASCII by the parser, in a
 * time of the length of a name by its different characters: one of 15 KB of a stranger would hold the thread that receives for 17 ms.
 */
export const isPlainHost = (host: string): boolean => host.length <= LONGEST && PLAIN.test(host);

/** Whether whoever is named before a host may be anybody: a name and a password in visible ASCII, which may have escapes; or nobody. */
export const isPlainUser = (user: string): boolean => user.length <= LONGEST && PLAIN_OR_ESCAPED.test(user);
