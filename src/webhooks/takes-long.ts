const [OBJECT, ARRAY, NAME_END, NEXT, ESCAPE] = [0x7b, 0x5b, 0x3a, 0x2c, 0x5c];

/** Many times what deliveries of providers have, and more than 16 KB of any members have whose names and values have three letters. */
const MANY = 4_096;

/**
 * Whether a body may take long to be written again as JSON. What costs is not its length but the objects, arrays and members
 * that are made of it, half a microsecond each, and the characters that are written as escapes, a third of one: a quarter of
 * a megabyte of text takes two milliseconds, of members fifty. So they are counted by what begins or parts them, in strings
 * too, up to as many as take two milliseconds.
 */
export const takesLong = (body: Buffer): boolean => {
  let parts = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte !== OBJECT && byte !== ARRAY && byte !== NAME_END && byte !== NEXT && byte !== ESCAPE) continue;
    parts += 1;
    if (parts > MANY) return true;
  }
  return false;
};
