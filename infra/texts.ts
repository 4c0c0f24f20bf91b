/** Texts of locales/<language>/<word>.json that servers say: the names of permissions, screens and menu sections. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Language, languages } from '#schema/kit/refusal'

const folder = new URL('../locales/', import.meta.url)
type Texts = { readonly [key: string]: string | Texts }

/** Parts of a language file that name what is declared elsewhere, by its name. */
export const namedParts = ['permission', 'screen', 'section'] as const
export type NamedPart = (typeof namedParts)[number]
type Names = Readonly<Record<string, string>>

const readWord = (language: Language, file: string) =>
  JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as Texts

/**
 * Every name of one kind, from all words.
 * @throws when two words name the same: one of the names would never be said.
 */
export function readNames(part: NamedPart, language: Language): Names {
  const names: Record<string, string> = {}
  for (const file of readdirSync(new URL(`${language}/`, folder)).filter((name) => name.endsWith('.json'))) {
    for (const [name, text] of Object.entries(readWord(language, file)[part] ?? {})) {
      if (names[name] !== undefined) throw new Error(`${language}/${file} names the ${part} ${name} again`)
      names[name] = String(text)
    }
  }
  return names
}

const read = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.fromEntries(namedParts.map((part) => [part, readNames(part, language)])),
  ]),
) as Record<Language, Record<NamedPart, Names>>

/** What a declaration is called in this language; a test holds that each has a name. */
export const nameOf = (part: NamedPart, name: string, language: Language): string =>
  read[language][part][name] ?? name
