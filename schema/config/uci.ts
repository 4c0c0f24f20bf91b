/** UCI text (OpenWrt's configuration) as a value and back, byte for byte as libuci reads and exports it [decisions/091]. */
import { scanUci, type UciCommand, UciFault } from './uci-scan.ts'

export { UciFault } from './uci-scan.ts'

/** `value`: text of an option, or the items of a list. */
export type UciOption = { readonly name: string; readonly value: string | readonly string[] }
/** `name` null: anonymous. */
export type UciSection = {
  readonly type: string
  readonly name: string | null
  readonly options: readonly UciOption[]
}
export type UciPackage = { readonly name: string; readonly sections: readonly UciSection[] }
/** Packages by name. */
export type UciDoc = Readonly<Record<string, UciPackage>>

type Values = Map<string, string | string[]>
type OpenSection = { type: string; name: string | null; values: Values }

/** A repeated option keeps its first place and takes the last value. An empty value changes nothing; an empty item stays. */
function take(values: Values, { word, name, value }: UciCommand & { word: 'option' | 'list' }): void {
  const old = values.get(name)
  if (word === 'list') values.set(name, [...(old === undefined ? [] : [old].flat()), value])
  else if (value !== '') values.set(name, value)
}

class OpenPackage {
  readonly name: string
  readonly #sections: OpenSection[] = []
  constructor(name: string) {
    this.name = name
  }

  apply(command: UciCommand, line: number): void {
    if (command.word === 'config') this.#open(command.type, command.name, line)
    else if (command.word !== 'package') {
      const section = this.#current
      if (section) take(section.values, command)
    }
  }
  #current: OpenSection | undefined
  /** One name is one section, whatever its type. */
  #open(type: string, name: string | null, line: number): void {
    const same = name === null ? undefined : this.#sections.find((section) => section.name === name)
    if (same && same.type !== type)
      throw new UciFault(line, 'section of different type overwrites prior section with same name')
    this.#current = same ?? { type, name, values: new Map() }
    if (!same) this.#sections.push(this.#current)
  }

  get value(): UciPackage {
    const sections = this.#sections.map(({ type, name, values }) => ({
      type,
      name,
      options: [...values].map(([option, value]) => ({ name: option, value })),
    }))
    return { name: this.name, sections }
  }
}

/**
 * The file of a package as libuci reads it by name or path: `package` lines mean nothing.
 * @throws UciFault one bad line refuses the whole text.
 */
export function parseUci(name: string, text: string): UciPackage {
  const open = new OpenPackage(name)
  for (const { line, commands } of scanUci(text, true))
    for (const command of commands) open.apply(command, line)
  return open.value
}

/**
 * Several packages in one text, each behind its `package NAME` line, as `uci import` without a name reads them.
 * @throws UciFault one bad line refuses the whole text.
 */
export function parseUciPackages(text: string): readonly UciPackage[] {
  const packages: OpenPackage[] = []
  for (const { line, commands } of scanUci(text, false))
    for (const command of commands) {
      if (command.word !== 'package') packages.at(-1)?.apply(command, line)
      else if (packages.some(({ name }) => name === command.name))
        throw new UciFault(line, `package ${command.name} twice`)
      else packages.push(new OpenPackage(command.name))
    }
  return packages.map((open) => open.value)
}

const inQuotes = (text: string) => text.replaceAll("'", "'\\''")

export const configLine = ({ type, name }: Pick<UciSection, 'type' | 'name'>): string =>
  `config ${inQuotes(type)}${name === null ? '' : ` '${name}'`}\n`

export const optionLines = ({ name, value }: UciOption): string =>
  typeof value === 'string'
    ? `\toption ${name} '${inQuotes(value)}'\n`
    : value.map((item) => `\tlist ${name} '${inQuotes(item)}'\n`).join('')

/** The canonical text: the bytes of `uci export`, over which both sides compute the same hash. */
export const exportUci = (pkg: UciPackage): string =>
  `package ${pkg.name}\n${pkg.sections
    .map((section) => `\n${configLine(section)}${section.options.map(optionLines).join('')}`)
    .join('')}\n`
