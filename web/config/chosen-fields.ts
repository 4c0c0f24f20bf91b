/** Chosen fields of pages with their values: for many devices, or for a template. */
import type { PageValues } from '#schema/config/many-change'
import { hasVariable } from '#schema/config/template-stack'
import { holds } from '#schema/kit/condition'
import { valueAt } from '#schema/kit/new-faults'
import { initialValues } from '#schema/kit/values'
import { faultsOf } from '../kit/form/form-errors.ts'
import type { FormValues } from '../kit/form/form-model.ts'
import { type DeclaredPage, pageNamed } from './config-pages.ts'
import { mayBeAsked, toInput, toServer } from './config-values.ts'

/** By page: the whole form, of which only the chosen fields count. */
export type Chosen = Readonly<Record<string, { fields: readonly string[]; values: FormValues }>>

export const countOf = (chosen: Chosen): number =>
  Object.values(chosen).reduce((sum, { fields }) => sum + fields.length, 0)

/** The initial values of an unedited page: the defaults of its fields. Fields that `from` leaves out stay out. */
export const untouched = (page: DeclaredPage, from: FormValues = {}): FormValues =>
  toInput(page.fields, { ...initialValues(page.fields), ...from }, true)

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Blank because its page does not ask for it with these values: it would set nothing. */
const isLeftBlank = (page: DeclaredPage, values: FormValues, name: string): boolean => {
  const when = page.fields.find((field) => field.name === name)?.when
  return isBlank(values[name]) && when !== undefined && !holds(when, values)
}

/** Values as they were read, all of them chosen except those that were not asked for. */
export const chosenFrom = (pages: PageValues): Chosen =>
  Object.fromEntries(
    Object.entries(pages).flatMap(([name, read]) => {
      const page = pageNamed(name)
      if (!page) return []
      const values = untouched(page, read)
      return [[name, { fields: Object.keys(read).filter((one) => !isLeftBlank(page, values, one)), values }]]
    }),
  )

/** Values that were read are selected in addition to those already selected. */
export const withRead = (chosen: Chosen, pages: PageValues): Chosen => ({
  ...chosen,
  ...Object.fromEntries(
    Object.entries(chosenFrom(pages)).map(([name, read]) => {
      const before = chosen[name]
      if (!before) return [name, read]
      const values = {
        ...before.values,
        ...named(
          read.fields.map((field) => ({ name: field })),
          read.values,
        ),
      }
      return [name, { fields: [...new Set([...before.fields, ...read.fields])], values }]
    }),
  ),
})

/**
 * As the calls take them. A field that its page does not ask for with these values is not sent. One that depends on a
 * field which is left to the devices is, unless it is blank: it was not asked for, and would remove what the devices
 * have.
 */
export function pagesOf(chosen: Chosen): Record<string, FormValues> {
  return Object.fromEntries(
    Object.entries(chosen).flatMap(([name, { fields, values }]) => {
      const page = pageNamed(name)
      if (!page || fields.length === 0) return []
      const own = page.fields.filter(
        (field) => fields.includes(field.name) && !isLeftBlank(page, values, field.name),
      )
      const sent = toServer(own, named(own, values))
      return Object.keys(sent).length === 0 ? [] : [[name, sent]]
    }),
  )
}

const named = (fields: readonly { readonly name: string }[], values: FormValues): FormValues =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name]]))

/** Whether a field can be chosen: one that depends on a field which is left to the devices can, too. */
export function isOffered(page: DeclaredPage, name: string, { fields, values }: Chosen[string]): boolean {
  const field = page.fields.find((one) => one.name === name)
  const chosen = fields.map((one) => ({ name: one }))
  return field !== undefined && field.input !== 'hidden' && mayBeAsked(field, named(chosen, values))
}

/** The first chosen field that could not be sent; null: all could. */
export function faultIn(chosen: Chosen): { page: string; field: string } | null {
  for (const [name, { fields, values }] of Object.entries(chosen)) {
    const page = pageNamed(name)
    if (!page) continue
    const [path] = Object.keys(faultsOf(page.fields, [], values)).filter(
      (at) => fields.includes(at.split('.')[0] ?? '') && !hasVariable(valueAt(values, at)),
    )
    if (path !== undefined) return { page: name, field: path }
  }
  return null
}
