/** A template of the library in one language, as values of the forms for a template and its variables. */
import { type Language, languages } from '#schema/kit/refusal'
import type { LibraryTemplate, LibraryVariable, LocalText } from '../library/library-template.ts'

const order: Record<Language, 0 | 1 | 2> = { 'en-US': 0, 'zh-CN': 1, 'zh-TW': 2 }
export const inLanguage = (text: LocalText, language: Language): string => text[order[language]]

/** All names of a template, for a search in whatever language. */
export const namesOf = ({ name, vendor, models }: LibraryTemplate): string[] => [
  ...languages.map((language) => inLanguage(name, language)),
  vendor,
  ...models,
]

export function variableValues({ key: _, name, ...facts }: LibraryVariable, language: Language) {
  return {
    addend: 0,
    minIntervalMs: 0,
    ioController: 'modbus' as const,
    /** That of the template (AS_TEMPLATE). */
    byteOrder: 'template' as const,
    ...facts,
    name: inLanguage(name, language),
  }
}

export function templateValues(template: LibraryTemplate, language: Language) {
  const { key, name, type, vendor, byteOrder, notes, source, variables } = template
  const { maxGap = 8, maxRegisters = 125, timeoutMs = 1_000, pauseMs = 0, connectDelayMs = 0 } = template
  const said = notes.map((note) => inLanguage(note, language))
  return {
    libraryKey: key,
    name: inLanguage(name, language),
    type,
    vendor,
    byteOrder,
    maxGap,
    maxRegisters,
    timeoutMs,
    pauseMs,
    connectDelayMs,
    remark: [...said, source.document].join('\n'),
    variables: variables.map((variable) => variableValues(variable, language)),
  }
}
