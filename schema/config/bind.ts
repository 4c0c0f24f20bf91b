/**
 * How a value of a page is found in the document and put back: a pair of functions that change only their own option.
 * Pages are made of these (page-of.ts).
 */
import type { UciDoc, UciOption, UciPackage, UciSection } from './uci.ts'
import { yesOrNo } from './yes-no.ts'

export type Text = string | readonly string[]

/** A section of a package: by name, else the first of the type that matches. `type` is that of a section to add. */
export type Where = {
  readonly package: string
  readonly type: string
  readonly name?: string
  /** Options that it must have, for anonymous sections; a section that is added gets them. */
  readonly match?: Readonly<Record<string, string>>
}

export type Bound = {
  readonly where: Where
  readonly option: string
  readonly get: (found: Text | undefined) => unknown
  /** null: the option is removed. `found`: what it holds now, for a value that is only a part of it. */
  readonly put: (value: unknown, found?: Text) => Text | null
  /** The option names a file that the value is the text of, see page-file.ts. */
  readonly file?: true
  /** Written by the page's `finish`, since it is not one option of one section. */
  readonly finished?: true
}

export const textOf = (value: Text | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join(' ')

export const saidBy = (section: UciSection | undefined, option: string): Text | undefined =>
  section?.options.find(({ name }) => name === option)?.value

const fits = (section: UciSection, { name, type, match = {} }: Where) =>
  name === undefined
    ? section.type === type &&
      Object.entries(match).every(([option, value]) => textOf(saidBy(section, option)) === value)
    : section.name === name

/** -1: there is none. */
export const indexOf = (doc: UciDoc, where: Where): number =>
  doc[where.package]?.sections.findIndex((section) => fits(section, where)) ?? -1

export const sectionOf = (doc: UciDoc, where: Where): UciSection | undefined =>
  doc[where.package]?.sections[indexOf(doc, where)]

/** A set option stays in its place; a new one is appended. */
export function withOption(section: UciSection, name: string, value: Text | null): UciSection {
  const there = section.options.some((option) => option.name === name)
  const options: readonly UciOption[] =
    value === null
      ? section.options.filter((option) => option.name !== name)
      : there
        ? section.options.map((option) => (option.name === name ? { name, value } : option))
        : [...section.options, { name, value }]
  return { ...section, options }
}

/** Adds the options that the section does not have. */
export const withMissing = (section: UciSection, options: Readonly<Record<string, string>>): UciSection =>
  Object.entries(options).reduce(
    (made, [name, value]) => (saidBy(made, name) === undefined ? withOption(made, name, value) : made),
    section,
  )

export const withSections = (doc: UciDoc, name: string, sections: readonly UciSection[]): UciDoc => ({
  ...doc,
  [name]: { name, sections },
})

const sectionsOf = (doc: UciDoc, name: string): readonly UciSection[] => doc[name]?.sections ?? []

/** The document with this section changed; a missing one is added, unless the change leaves it empty. */
export function withSection(doc: UciDoc, where: Where, change: (section: UciSection) => UciSection): UciDoc {
  const sections = sectionsOf(doc, where.package)
  const index = indexOf(doc, where)
  if (index >= 0)
    return withSections(
      doc,
      where.package,
      sections.map((section, i) => (i === index ? change(section) : section)),
    )
  const match = Object.entries(where.match ?? {}).map(([name, value]) => ({ name, value }))
  const made = change({ type: where.type, name: where.name ?? null, options: match })
  return made.options.length > match.length ? withSections(doc, where.package, [...sections, made]) : doc
}

export const withoutSection = (doc: UciDoc, where: Where): UciDoc => {
  const index = indexOf(doc, where)
  const sections = sectionsOf(doc, where.package)
  return index < 0
    ? doc
    : withSections(
        doc,
        where.package,
        sections.filter((_, i) => i !== index),
      )
}

const bound = (where: Where, option: string, get: Bound['get'], put: Bound['put']): Bound => ({
  where,
  option,
  get,
  put,
})

/** An empty text removes the option: `option x ''` means nothing in UCI. */
const putText = (value: unknown) =>
  value === undefined || value === null || value === '' ? null : String(value)

/** A text, ''  when it is not set. `initial`: what the device does without the option. */
export const text = (where: Where, option: string, initial = ''): Bound =>
  bound(
    where,
    option,
    (found) => textOf(found) || initial,
    (value) => putText(value),
  )

/** A whole number; null or `initial` when it is not set or is no number. */
export const number = (where: Where, option: string, initial: number | null = null): Bound =>
  bound(
    where,
    option,
    (found) => (/^-?\d+$/.test(textOf(found)) ? Number(textOf(found)) : initial),
    (value) => putText(value),
  )

/** A switch. `initial`: what the device does without the option. An untouched option is not written. */
export const flag = (where: Where, option: string, initial = false): Bound =>
  bound(
    where,
    option,
    (found) => yesOrNo(textOf(found)) ?? initial,
    (value) => (value ? '1' : '0'),
  )

/** A switch whose option means the opposite (`disabled`). */
export const inverted = (where: Where, option: string, initial = true): Bound => {
  const plain = flag(where, option, !initial)
  return bound(
    where,
    option,
    (found) => !plain.get(found),
    (value) => plain.put(!value),
  )
}

/** A list; an option with words counts as one. */
export const list = (where: Where, option: string): Bound =>
  bound(
    where,
    option,
    (found) =>
      found === undefined ? [] : typeof found === 'string' ? found.split(/\s+/).filter(Boolean) : [...found],
    (value) => (Array.isArray(value) && value.length > 0 ? value.map(String) : null),
  )

/** Words in one option: `proto 'tcp udp'`. */
export const wordsIn = (where: Where, option: string): Bound =>
  bound(
    where,
    option,
    (found) => textOf(found).split(/\s+/).filter(Boolean),
    (value) => (Array.isArray(value) && value.length > 0 ? value.join(' ') : null),
  )

/** A choice; what is set but not among `choices` is kept while the form shows `initial`. */
export const choice = (where: Where, option: string, choices: readonly string[], initial: string): Bound =>
  bound(
    where,
    option,
    (found) => (choices.includes(textOf(found)) ? textOf(found) : initial),
    (value) => putText(value),
  )

/** A value that the page finds and writes by itself (`finish`); a refusal of this option is shown at it. */
export const finished = (where: Where, option: string, value: unknown): Bound => ({
  where,
  option,
  get: () => value,
  put: () => null,
  finished: true,
})

export const readBound = (doc: UciDoc, { where, option, get }: Bound): unknown =>
  get(saidBy(sectionOf(doc, where), option))

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Writes only a value that is not what the document says already. */
export const writeBound = (doc: UciDoc, one: Bound, value: unknown): UciDoc =>
  one.finished || same(readBound(doc, one), value)
    ? doc
    : withSection(doc, one.where, (section) =>
        withOption(section, one.option, one.put(value, saidBy(section, one.option))),
      )

export const packageOf = (doc: UciDoc, name: string): UciPackage => doc[name] ?? { name, sections: [] }
