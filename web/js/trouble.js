// Trouble that pages tell in the visitor's language. No imports: workers use it too.

/** What went wrong as a key of the words and its values; `whyOf` in words.js says it. */
export class Trouble extends Error {
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}
