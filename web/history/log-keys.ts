type Line = { readonly at: string; readonly tag: string | null; readonly text: string }

/**
 * Lines of a log with keys that stay theirs when older lines leave the list: with their places as keys each new line would draw all others
 * anew, and what a reader has just selected to copy it would be lost. Equal lines of one time are told apart by their number from the
 * end, where lines are not cut off.
 */
export function withKeys<L extends Line>(lines: readonly L[]): readonly (L & { key: string })[] {
  const seen = new Map<string, number>()
  return lines
    .toReversed()
    .map((line) => {
      const name = `${line.at} ${line.tag} ${line.text}`
      const nth = (seen.get(name) ?? 0) + 1
      seen.set(name, nth)
      return { ...line, key: `${name} ${nth}` }
    })
    .toReversed()
}
