/**
 * The text files of pages. A module of its own, beside the shell: the names of some 130 files are no part of a login.
 */
export const wordFiles = import.meta.glob<Record<string, unknown>>(
  ['../../locales/*/*.json', '!../../locales/*/{kit,session}.json'],
  { import: 'default' },
)
