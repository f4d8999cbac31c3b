/** The words that a key is made of: `walletOwnerName` is three. */
export const keyWords = (key: string): readonly string[] =>
  key.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
