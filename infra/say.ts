/** Texts of locales/<language>/<word>.json for servers: mails, notices, files and refusals in the language of their reader. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Language, languages } from '#schema/kit/refusal'
import type { ServerSay } from '#schema/kit/say'

const folder = new URL('../locales/', import.meta.url)
type Texts = { readonly [key: string]: string | Texts }

function leaves(texts: Texts, path: string, into: Map<string, string>): Map<string, string> {
  for (const [key, value] of Object.entries(texts))
    if (typeof value === 'string') into.set(path + key, value)
    else leaves(value, `${path}${key}.`, into)
  return into
}

const read = new Map<Language, ReadonlyMap<string, string>>()
/**
 * All texts of one language by key. Read once, at the first use: every process needs some, none needs to wait for
 * them at start.
 */
export function textsOf(language: Language): ReadonlyMap<string, string> {
  const known = read.get(language)
  if (known) return known
  const texts = new Map<string, string>()
  for (const file of readdirSync(new URL(`${language}/`, folder), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.json'))
      leaves(
        JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as Texts,
        `${basename(file, '.json')}:`,
        texts,
      )
  read.set(language, texts)
  return texts
}

/** For a key that is made of names: its text, or undefined where there is none. */
export const textIn = (language: Language, key: string): string | undefined => textsOf(language).get(key)

const plurals = new Map(languages.map((language) => [language, new Intl.PluralRules(language)]))

/**
 * Formats texts in one language. @returns a function that @throws if the key is in no file, which the types rule out
 */
export const sayIn =
  (language: Language): ServerSay =>
  (key, params = {}) => {
    const texts = textsOf(language)
    const form =
      typeof params['count'] === 'number' ? plurals.get(language)?.select(params['count']) : undefined
    // Without a count, for example where a text is shown with its placeholders, the plural form is used.
    const text = texts.get(`${key}_${form}`) ?? texts.get(key) ?? texts.get(`${key}_other`)
    if (text === undefined) throw new Error(`no text ${key} in ${language}`)
    // Values are inserted unchanged, even if they look like placeholders.
    return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(params, name) ? String(params[name]) : whole,
    )
  }
