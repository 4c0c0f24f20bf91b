/** Sections and options of a package by their place, as the stand-in of `uci` needs them. */
import type { UciOption, UciPackage, UciSection } from '#schema/config/uci'

/** A section's name, or the `index`-th of a type as in `@type[index]`; negative counts from the end. */
type UciPlace = string | { readonly type: string; readonly index: number }

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

/** A section index that does not exist changes nothing. */
export const withoutOption = (pkg: UciPackage, index: number, name: string): UciPackage => ({
  ...pkg,
  sections: pkg.sections.map((section, at) =>
    at === index
      ? { ...section, options: section.options.filter((option) => option.name !== name) }
      : section,
  ),
})
