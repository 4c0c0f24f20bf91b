/** The text files of pages in this language. Beside the shell: their names are no part of a login. */
export const wordFiles = import.meta.glob<Record<string, unknown>>(
  ['../../../locales/zh-CN/*.json', '!../../../locales/zh-CN/{kit,session}.json'],
  { import: 'default' },
)
