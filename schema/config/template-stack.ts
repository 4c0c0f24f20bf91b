/**
 * The effective template values of a device: from the templates of its customer, then of its groups from the outermost
 * inwards, then its own. A later one wins field by field, and values set on the device itself win over all
 * [decisions/105].
 */
import type { FormField } from '../kit/field.ts'
import type { PageValues } from './many-change.ts'
import { yesOrNo } from './yes-no.ts'

/** A scope: a group with its subgroups, a device, or with neither the whole customer. */
export type Scope = { readonly groupId: number | null; readonly deviceId: number | null }
export type Template = { readonly id: number; readonly name: string; readonly pages: PageValues }
export type TemplateUse = Scope & { readonly templateId: number; readonly place: number }
export type Variable = {
  readonly name: string
  readonly values: readonly (Scope & { readonly value: string })[]
}

/** All of one customer. */
export type TemplateBook = {
  readonly templates: readonly Template[]
  readonly uses: readonly TemplateUse[]
  readonly variables: readonly Variable[]
  /** The parent of each group. */
  readonly parents: ReadonlyMap<number, number | null>
}
export type Placed = { readonly deviceId: number; readonly groupId: number }
/** The fields of each page that were set on the device itself. */
export type OwnFields = Readonly<Record<string, readonly string[]>>

/** The groups of a device from the outermost inwards. */
function chainOf({ parents }: TemplateBook, groupId: number): number[] {
  const chain: number[] = []
  for (let at: number | null = groupId; at !== null && !chain.includes(at); at = parents.get(at) ?? null)
    chain.unshift(at)
  return chain
}

/** How close a scope is to the device; -1: it does not apply. */
function nearness({ groupId, deviceId }: Scope, device: Placed, chain: readonly number[]): number {
  if (deviceId !== null) return deviceId === device.deviceId ? chain.length + 1 : -1
  return groupId === null ? 0 : chain.indexOf(groupId) < 0 ? -1 : chain.indexOf(groupId) + 1
}

/** The templates of a device; the last wins. One that holds by several scopes counts where it is nearest. */
export function stackOf(book: TemplateBook, device: Placed): readonly Template[] {
  const chain = chainOf(book, device.groupId)
  const placed = book.uses
    .map((use) => ({ ...use, near: nearness(use, device, chain) }))
    .filter(({ near }) => near >= 0)
    .toSorted((a, b) => a.near - b.near || a.place - b.place || a.templateId - b.templateId)
  const last = new Map(placed.map((use) => [use.templateId, use]))
  return placed
    .filter((use) => last.get(use.templateId) === use)
    .flatMap(({ templateId }) => book.templates.find(({ id }) => id === templateId) ?? [])
}

/** The value of each variable that holds for a device. */
export function variablesOf(book: TemplateBook, device: Placed): ReadonlyMap<string, string> {
  const chain = chainOf(book, device.groupId)
  return new Map(
    book.variables.flatMap(({ name, values }): [string, string][] => {
      const [nearest] = values
        .map((one) => ({ ...one, near: nearness(one, device, chain) }))
        .filter(({ near }) => near >= 0)
        .toSorted((a, b) => b.near - a.near)
      return nearest ? [[name, nearest.value]] : []
    }),
  )
}

const VARIABLE = /\{\{\s*([A-Za-z][A-Za-z0-9_-]{0,31})\s*\}\}/g
export const isVariableText = (value: unknown): value is string =>
  typeof value === 'string' && value.search(VARIABLE) >= 0
/** Of a list of texts: in any of them. */
export const hasVariable = (value: unknown): boolean =>
  isVariableText(value) || (Array.isArray(value) && value.some(isVariableText))
export const namesIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [...value.matchAll(VARIABLE)].map(([, name = '']) => name)
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(namesIn)
      : []

type Known = { readonly known: ReadonlyMap<string, string>; readonly missing: Set<string> }

/** Not `0x10` or `8e3`, which nobody means in a field of a form. */
const DECIMAL = /^\s*[+-]?\d+(\.\d+)?\s*$/

/** A field that asks for something other than a text takes the text of a variable as its own. */
function typed({ input, options, items }: FormField, text: string): unknown {
  if (input === 'number' || (input === 'choice' && typeof options?.[0] === 'number'))
    return text.trim() === '' ? null : DECIMAL.test(text) ? Number(text) : Number.NaN
  // What is neither yes nor no stays a text, which is refused: a typing error must not switch something off.
  if (input === 'switch') return text.trim() === '' ? false : (yesOrNo(text.trim()) ?? text)
  if (input !== 'tags' && input !== 'choices') return text
  const entries = text.split(/[\s,]+/).filter(Boolean)
  return items?.input === 'number' ? entries.map(Number) : entries
}

function filled(field: FormField | undefined, value: unknown, at: Known): unknown {
  if (isVariableText(value)) {
    const text = value.replace(VARIABLE, (whole, name: string) => {
      const found = at.known.get(name)
      if (found === undefined) at.missing.add(name)
      return found ?? whole
    })
    return field ? typed(field, text) : text
  }
  if (Array.isArray(value))
    return value.map((one) =>
      field?.input === 'rows' ? filledIn(field.fields ?? [], one, at) : filled(field?.items, one, at),
    )
  return field?.input === 'fields' ? filledIn(field.fields ?? [], value, at) : value
}

function filledIn(fields: readonly FormField[], values: unknown, at: Known): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries((values ?? {}) as object).map(([name, value]) => [
      name,
      filled(byName.get(name), value, at),
    ]),
  )
}

export type Stacked = {
  readonly pages: PageValues
  /** The template that each field comes from, by page and field. */
  readonly from: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Variables without a value for this device. */
  readonly missing: readonly string[]
}

/** `fieldsOf`: the form of a page; undefined: there is no such page any more. */
export function stacked(
  book: TemplateBook,
  device: Placed,
  own: OwnFields,
  fieldsOf: (page: string) => readonly FormField[] | undefined,
): Stacked {
  const pages: Record<string, Record<string, unknown>> = {}
  const from: Record<string, Record<string, string>> = {}
  for (const template of stackOf(book, device))
    for (const [page, values] of Object.entries(template.pages)) {
      if (!fieldsOf(page)) continue
      for (const [name, value] of Object.entries(values)) {
        if (own[page]?.includes(name)) continue
        pages[page] = { ...pages[page], [name]: value }
        from[page] = { ...from[page], [name]: template.name }
      }
    }
  const at = { known: variablesOf(book, device), missing: new Set<string>() }
  const whole = Object.entries(pages).map(([page, values]) => [
    page,
    filledIn(fieldsOf(page) ?? [], values, at),
  ])
  return { pages: Object.fromEntries(whole), from, missing: [...at.missing].toSorted() }
}
