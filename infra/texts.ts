/** The names of permissions, screens and menu sections: parts of language files that name what is declared elsewhere, by its name. */
import { type Language, languages } from '#schema/kit/refusal'
import { textsOf } from './say.ts'

export const namedParts = ['permission', 'screen', 'section'] as const
export type NamedPart = (typeof namedParts)[number]
type Names = Readonly<Record<string, string>>

/**
 * Every name of one kind, from all words.
 * @throws when two words name the same: one of the names would never be said.
 */
export function readNames(part: NamedPart, language: Language): Names {
  const names: Record<string, string> = {}
  for (const [key, text] of textsOf(language)) {
    const [, name] = key.split(`:${part}.`)
    if (name === undefined) continue
    if (names[name] !== undefined) throw new Error(`${key} in ${language} names the ${part} ${name} again`)
    names[name] = text
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
