/** A tag of SGML, and the text behind it. */
export type SgmlTag = {
  /** In capitals. */
  readonly name: string;
  /** `begin`: `<NAME>`; `end`: `</NAME>`; `whole`: `<NAME/>`, which holds nothing. */
  readonly kind: 'begin' | 'end' | 'whole';
  /** As it is written, up to the next tag. */
  readonly text: string;
  /** The place in the document where it begins, where its text does, and where that ends. */
  readonly from: number;
  readonly textFrom: number;
  readonly to: number;
};

const TAG = /<(\/?)([A-Za-z0-9._-]{1,64})(?:\s[^<>]{0,1000})?(\/?)>([^<]*)/g;

/** The tags of a document, one behind the other; what looks like none is passed over. */
export function* sgmlTags(document: string): Generator<SgmlTag> {
  for (const token of document.matchAll(TAG)) {
    const [all, slash = '', name = '', self = '', text = ''] = token;
    const to = token.index + all.length;
    yield {
      name: name.toUpperCase(),
      kind: slash === '/' ? 'end' : self === '/' ? 'whole' : 'begin',
      text,
      from: token.index,
      textFrom: to - text.length,
      to,
    };
  }
}
