/** The edition of a page names its draft, and the lists of rows that it shows: `<draft>~<digest of the lists>`. */
export const pageEdition = (draft: string, lists: string): string =>
  [draft, ...(lists === '' ? [] : [lists])].join('~')

/** `lists`: undefined if the page has none. */
export function partsOf(edition: string): { draft: string; lists: string | undefined } {
  const [draft = '', lists] = edition.split('~')
  return { draft, lists }
}
