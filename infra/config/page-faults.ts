/** What is wrong with the values of a page, in the reader's language: bounds, conditions, other fields, the rest. */
import type { ConfigPage, DeviceTraits } from '#schema/config/config-page'
import { formOfPage } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import { checkFields } from '#schema/kit/check'
import { faultSentence } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { newFaults } from '#schema/kit/new-faults'
import type { Language } from '#schema/kit/refusal'
import { reasonIn } from '../reason-in.ts'
import { sayIn, textIn } from '../say.ts'
import { wholeValues } from './whole-values.ts'

type Values = Readonly<Record<string, unknown>>

export type ShownFault = { path: string; message: string }

/** `ports.0.externalPort` has the label of `ports.externalPort`. */
const labelOf = (page: ConfigPage, path: string, language: Language): string =>
  textIn(language, `${page.name}:field.${path.replace(/\.\d+(?=\.|$)/g, '')}`) ?? path

/** What the form itself would show: bounds and formats of the given values. `partial`: the rest is each device's own. */
export const fieldFaults = (
  page: ConfigPage,
  fields: readonly FormField[],
  values: Values,
  language: Language,
  partial = false,
): ShownFault[] =>
  Object.entries(checkFields(fields, values, { partial })).map(([path, fault]) => ({
    path,
    message: faultSentence(labelOf(page, path, language), fault, sayIn(language)),
  }))

/** Values of a page, and the document beside which they are checked. */
export type Seen = { readonly values: Values; readonly doc: UciDoc }

type Find = (page: ConfigPage, seen: Seen, traits: DeviceTraits, language: Language) => ShownFault[]

const ofForm: Find = (page, { values }, _, language) => fieldFaults(page, formOfPage(page), values, language)

const ofBody: Find = (page, { values }, _, language) =>
  (page.body.safeParse(values, { error: reasonIn(language) }).error?.issues ?? []).map(
    ({ path, message }) => {
      const at = path.map(String).join('.')
      const field = labelOf(page, at, language)
      return { path: at, message: sayIn(language)('kit:fault.sentence', { field, reason: message }) }
    },
  )

const ofCheck: Find = (page, { values, doc }, traits, language) =>
  page
    .check(wholeValues(page.body, values) as Values, doc, traits)
    .map(({ path, text, params = {} }) => ({ path, message: sayIn(language)(text, params) }))

const newIn = (
  find: Find,
  page: ConfigPage,
  now: Seen,
  before: Seen,
  traits: DeviceTraits,
  language: Language,
) =>
  newFaults(
    { values: now.values, faults: find(page, now, traits, language) },
    () => ({ values: before.values, faults: find(page, before, traits, language) }),
    ({ message }) => message,
  )

/**
 * The faults that the edit introduces; first those that the form itself would show. Faults that were there before must
 * not block the page: otherwise a device with an unusual but working configuration could not be changed from here at
 * all. The device itself is no stricter.
 */
export function pageFaults(
  page: ConfigPage,
  now: Seen,
  before: Seen,
  traits: DeviceTraits,
  language: Language,
): ShownFault[] {
  for (const find of [ofForm, ofBody, ofCheck]) {
    const found = newIn(find, page, now, before, traits, language)
    if (found.length > 0) return found
  }
  return []
}

/**
 * The values to write, with the defaults of what a new row leaves out. What the form would refuse is written only if it runs
 * already; null: the edit has a value of its own that is no part of the page.
 */
export function writableValues(
  page: ConfigPage,
  now: Seen,
  before: Seen,
  traits: DeviceTraits,
): Values | null {
  const whole = page.body.safeParse(now.values)
  if (whole.success) return whole.data
  return newIn(ofBody, page, now, before, traits, 'en-US').length > 0
    ? null
    : (wholeValues(page.body, now.values) as Values)
}
