/** Texts that come again and again, each once. */
export class SharedTexts {
  readonly texts: string[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.texts.push(text) - 1;
    this.#indexes.set(text, index);
    return index;
  }
}
