/** The beginning of a text, of at most `max` UTF-16 units: without half of a character, which no call accepts. */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
