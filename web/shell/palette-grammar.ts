/**
 * Understands what is typed into the palette: "reboot tokyo", "alarms of kiosks", "offline devices". The words come
 * from the declared commands, screens and lists, with their synonyms in the language files.
 */
import type { ListCall } from '#schema/kit/list'

/** A screen's list: `filters` by name, with the declared choices. */
export type DeclaredList = {
  readonly screen: string
  readonly path: string
  readonly call: ListCall
  readonly filters: Readonly<Record<string, readonly (string | number)[]>>
}

/** The synonyms of a word. */
type Named = { readonly words: readonly string[] }
export type Verb = Named & { readonly key: string }
export type Choice = Named & { readonly filter: string; readonly value: string }
export type Noun = Named & { readonly screen: string; readonly choices: readonly Choice[] }

export type Vocabulary = {
  readonly verbs: readonly Verb[]
  readonly nouns: readonly Noun[]
  /** The noun that verbs are about; it may be left out. */
  readonly object: Noun | undefined
  /** Words between the others, without a meaning of their own: "of", "in". */
  readonly joins: readonly string[]
}

export type Sentence = {
  /** Absent: the list is only shown. */
  readonly verb?: string
  readonly screen: string
  readonly filters: Readonly<Record<string, string>>
  /** What is left: a name, a group, a model. */
  readonly about: string
}

/** For comparing: full-width and upper-case letters do not matter. */
export const plainText = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** "reboot, restart" in a language file; Chinese lists use their own commas. */
export const wordsOf = (listed: string): readonly string[] =>
  listed
    .split(/[,，、]/)
    .map(plainText)
    .filter((word) => word !== '')

const isLatin = (letter: string | undefined) =>
  letter !== undefined && /[\p{L}\p{N}]/u.test(letter) && !isHan(letter)
const isHan = (letter: string) => /\p{Script=Han}/u.test(letter)

/** Latin letters end a word only where another begins; Chinese is written without spaces. */
const isCut = (before: string | undefined, after: string | undefined) => !(isLatin(before) && isLatin(after))

/**
 * The text without the word; null if it does not contain it. Chinese words and verbs (`ends`) are cut from the ends
 * only.
 */
function without(text: string, word: string, ends: boolean): string | null {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const whole = isCut(text[at - 1], word[0]) && isCut(word.at(-1), text[end])
    const inside = at > 0 && end < text.length && (ends || isHan(word))
    if (whole && !inside) return plainText(`${text.slice(0, at)} ${text.slice(end)}`)
  }
  return null
}

/** The longest of the words is cut first: "alarm history" is not "alarm". */
function cut<T extends Named>(
  text: string,
  named: readonly T[],
  ends = false,
): { found: T; rest: string } | null {
  const pairs = named.flatMap((found) => found.words.map((word) => ({ found, word })))
  for (const { found, word } of pairs.toSorted((one, other) => other.word.length - one.word.length)) {
    const rest = without(text, word, ends)
    if (rest !== null) return { found, rest }
  }
  return null
}

function withoutJoins(text: string, joins: readonly string[]): string {
  for (const join of joins) {
    const atStart = text.startsWith(join) && isCut(join.at(-1), text[join.length])
    if (atStart && text.length > join.length) return withoutJoins(text.slice(join.length).trim(), joins)
    const atEnd = text.endsWith(join) && isCut(text.at(-join.length - 1), join[0])
    if (atEnd && text.length > join.length) return withoutJoins(text.slice(0, -join.length).trim(), joins)
  }
  return joins.includes(text) ? '' : text
}

/** Choices of filters, each filter once. */
function narrowed(text: string, { choices }: Noun, joins: readonly string[]) {
  const filters: Record<string, string> = {}
  let about = withoutJoins(text, joins)
  for (;;) {
    const next = cut(
      about,
      choices.filter(({ filter }) => !(filter in filters)),
    )
    if (!next) return { filters, about }
    filters[next.found.filter] = next.found.value
    about = withoutJoins(next.rest, joins)
  }
}

/** The sentence, or null if it names neither a verb nor a list. */
export function understand(typed: string, { verbs, nouns, object, joins }: Vocabulary): Sentence | null {
  const text = plainText(typed)
  const doing = object ? cut(text, verbs, true) : null
  if (doing && object) {
    const rest = cut(doing.rest, [object])?.rest ?? doing.rest
    const meant = narrowed(rest, object, joins)
    // A verb alone would apply to everything.
    if (meant.about !== '' || Object.keys(meant.filters).length > 0)
      return { verb: doing.found.key, screen: object.screen, ...meant }
  }
  const listing = cut(text, nouns)
  if (!listing) return null
  const meant = narrowed(listing.rest, listing.found, joins)
  if (meant.about === '' && Object.keys(meant.filters).length === 0) return null
  return { screen: listing.found.screen, ...meant }
}

/** What a name of a group or a model may be part of. Plurals: "kiosks" is also a "kiosk". */
export const singular = (name: string) =>
  /[a-z]{2}s$/.test(name) && !name.endsWith('ss') ? name.slice(0, -1) : name

/** The candidates that are called so: exactly, else beginning so, else containing it. */
export function called<T>(candidates: readonly T[], about: string, nameOf: (one: T) => string): readonly T[] {
  const wanted = singular(about)
  const names = candidates.map((one) => ({ one, name: singular(plainText(nameOf(one))) }))
  for (const fits of [
    (name: string) => name === wanted,
    (name: string) => name.startsWith(wanted),
    (name: string) => name.includes(wanted),
  ]) {
    const found = names.filter(({ name }) => fits(name)).map(({ one }) => one)
    if (found.length > 0) return found
  }
  return []
}
