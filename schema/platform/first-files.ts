/** What the build tells the server about a first visit (web/first-visit.ts, api/console-page.ts). */
import type { Language } from '../kit/refusal.ts'

/** Beside index.html. */
export const FIRST_FILES = 'first-files.json'
/** The id of the element of index.html that has the texts of the page, in the language of its `lang`. */
export const FIRST_TEXTS_ID = 'first-texts'
/** The cookie with the chosen language, so that the server knows it; local storage is what counts. */
export const LANGUAGE_COOKIE = 'I18n'

/**
 * Files are paths from the root of the console, words are names of text files. An incomplete list only costs time: what is
 * missing is loaded by its import.
 */
export type FirstFiles = {
  /** Those that every page needs, also the login. */
  words: string[]
  /** The files with the titles of pages. */
  titles: Partial<Record<Language, string[]>>
  /** `path`: a regular expression; `files`: scripts and styles of the frame and the page; `words` contain those above. */
  pages: { path: string; files: string[]; words: string[] }[]
}
