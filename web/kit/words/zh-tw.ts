/** The text files of pages in this language. Beside the shell: their names are no part of a login. */
export const wordFiles = import.meta.glob<Record<string, unknown>>(
  ['../../../locales/zh-TW/*.json', '!../../../locales/zh-TW/{kit,session}.json'],
  { import: 'default' },
)
