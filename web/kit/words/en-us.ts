/** The text files of pages in this language. Beside the shell: their names are no part of a login. */
export const wordFiles = import.meta.glob<Record<string, unknown>>(
  ['../../../locales/en-US/*.json', '!../../../locales/en-US/{kit,session}.json'],
  { import: 'default' },
)
