/**
 * The names of permissions, screens and menu sections: parts of language files that name what is declared elsewhere.
 */
import { type Language, languages } from '#schema/kit/refusal'
import { textsOf } from './say.ts'

export const namedParts = ['permission', 'screen', 'section'] as const
export type NamedPart = (typeof namedParts)[number]
type Names = Readonly<Record<string, string>>

/**
 * Every name of one kind, from all files. @throws if two files name the same, because one of the names would never be
 * used.
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

/** The name of a declaration in this language; a test checks that each has one. */
export const nameOf = (part: NamedPart, name: string, language: Language): string =>
  read[language][part][name] ?? name
