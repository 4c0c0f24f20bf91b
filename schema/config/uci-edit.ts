/** Minimal edits of a package: everything else keeps its name and order. */
import type { UciOption, UciPackage, UciSection } from './uci.ts'

export { editUciText } from './uci-text.ts'

/** A section's name, or the `index`-th of a type as in `@type[index]`; negative counts from the end. */
export type UciPlace = string | { readonly type: string; readonly index: number }

/** Index of the section in `pkg.sections`; -1 if there is none. */
export function sectionIndex(pkg: UciPackage, where: UciPlace): number {
  if (typeof where === 'string') return pkg.sections.findIndex(({ name }) => name === where)
  const found = pkg.sections.filter(({ type }) => type === where.type).at(where.index)
  return found ? pkg.sections.indexOf(found) : -1
}

export const sectionAt = (pkg: UciPackage, where: UciPlace): UciSection | undefined =>
  pkg.sections[sectionIndex(pkg, where)]

export const optionOf = (section: UciSection, name: string): UciOption['value'] | undefined =>
  section.options.find((option) => option.name === name)?.value

/** As libuci keeps it: neither '' nor a list without items exists. */
const isNothing = (value: UciOption['value'] | null): value is null | '' | readonly [] =>
  value === null || value.length === 0

function withOption(section: UciSection, name: string, value: UciOption['value'] | null): UciSection {
  const { options } = section
  if (isNothing(value)) return { ...section, options: options.filter((option) => option.name !== name) }
  const known = options.some((option) => option.name === name)
  return {
    ...section,
    options: known
      ? options.map((option) => (option.name === name ? { name, value } : option))
      : [...options, { name, value }],
  }
}

/** Null, '' and an empty list delete. A new option comes last; a section index that does not exist changes nothing. */
export const setOption = (
  pkg: UciPackage,
  index: number,
  name: string,
  value: UciOption['value'] | null,
): UciPackage => ({
  ...pkg,
  sections: pkg.sections.map((section, at) => (at === index ? withOption(section, name, value) : section)),
})

/** Without a place, behind all others. */
export const addSection = (
  pkg: UciPackage,
  section: UciSection,
  atIndex: number = pkg.sections.length,
): UciPackage => ({ ...pkg, sections: pkg.sections.toSpliced(atIndex, 0, section) })

export const removeSection = (pkg: UciPackage, index: number): UciPackage => ({
  ...pkg,
  sections: pkg.sections.filter((_section, at) => at !== index),
})
