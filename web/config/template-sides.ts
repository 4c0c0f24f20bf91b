/** Two users edited one template: their settings field by field, and both edits merged. Pure. */
import { changedNames, merged } from '../kit/form/edit-conflict.ts'
import type { Chosen } from './chosen-fields.ts'

/** What a template's form edits. */
export type Settings = {
  name: string
  remark: string | null
  everywhere: boolean
  groupIds: readonly number[]
  devices: readonly { readonly id: number; readonly sn: string }[]
  place: number
  chosen: Chosen
}

/** A field of a page with the value that a template sets; null: it does not set it. */
type SetField = { page: string; field: string; value: unknown }

type Flat = Record<string, unknown>
const keyOf = (page: string, field: string) => `${page} ${field}`

const setFields = ({ chosen }: Settings): Map<string, SetField> =>
  new Map(
    Object.entries(chosen).flatMap(([page, { fields, values }]) =>
      fields.map((field) => [keyOf(page, field), { page, field, value: values[field] }]),
    ),
  )

/** Every setting and every field that one of `all` sets, by one key each: `theirs` and `mine` of two forms have the same keys. */
function flat(settings: Settings, all: readonly Settings[]): Flat {
  const { chosen: _, remark, devices, ...rest } = settings
  const own = setFields(settings)
  const keys = all.flatMap((one) => [...setFields(one).keys()])
  return {
    ...rest,
    remark: remark ?? '',
    // The order in which they were picked says nothing.
    devices: devices.toSorted((a, b) => a.id - b.id),
    ...Object.fromEntries(keys.map((key) => [key, own.get(key) ?? null])),
  }
}

function settingsOf(values: Flat, under: readonly Settings[]): Settings {
  const chosen: Record<string, Chosen[string]> = {}
  for (const settings of under)
    for (const [page, { values: whole }] of Object.entries(settings.chosen))
      chosen[page] ??= { fields: [], values: whole }
  for (const [key, one] of Object.entries(values)) {
    if (!key.includes(' ') || one === null) continue
    const { page, field, value } = one as SetField
    const before = chosen[page] ?? { fields: [], values: {} }
    chosen[page] = { fields: [...before.fields, field], values: { ...before.values, [field]: value } }
  }
  const { name, remark, everywhere, groupIds, devices, place } = values as Flat & Settings
  return { name, remark, everywhere, groupIds, devices, place, chosen }
}

/** Of one field of a page, or of a setting of the template. */
export type Difference =
  | { page: string; field: string; theirs: SetField | null; mine: SetField | null; isMine: boolean }
  | { setting: Exclude<keyof Settings, 'chosen'>; isMine: boolean }

/** What the other user changed, and whether this user changed it too. */
export function differencesOf(base: Settings, theirs: Settings, mine: Settings): Difference[] {
  const all = [base, theirs, mine]
  const [was, now, own] = [flat(base, all), flat(theirs, all), flat(mine, all)]
  const isMine = new Set(changedNames(was, own))
  return changedNames(was, now).map((key): Difference => {
    if (!key.includes(' '))
      return { setting: key as Exclude<keyof Settings, 'chosen'>, isMine: isMine.has(key) }
    const [page = '', field = ''] = key.split(' ')
    return {
      page,
      field,
      theirs: now[key] as SetField | null,
      mine: own[key] as SetField | null,
      isMine: isMine.has(key),
    }
  })
}

/** My edits on top of theirs. */
export function mergedSettings(base: Settings, theirs: Settings, mine: Settings): Settings {
  const all = [base, theirs, mine]
  return settingsOf(merged(flat(base, all), flat(theirs, all), flat(mine, all)), [theirs, mine])
}
