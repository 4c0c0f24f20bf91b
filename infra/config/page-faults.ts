/** What is wrong with the values of a page, in the reader's language: bounds, conditions, other fields, the rest. */
import type { ConfigPage, DeviceTraits } from '#schema/config/config-page'
import { formOfPage } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import { checkFields } from '#schema/kit/check'
import { faultSentence } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import type { Language } from '#schema/kit/refusal'
import { reasonIn } from '../reason-in.ts'
import { sayIn, textIn } from '../say.ts'

type Values = Readonly<Record<string, unknown>>
type Beside = { doc: UciDoc; traits: DeviceTraits }

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

/** The first faults are those that the form itself would show. */
function allFaults(page: ConfigPage, values: Values, at: Beside, language: Language): ShownFault[] {
  const say = sayIn(language)
  const plain = fieldFaults(page, formOfPage(page), values, language)
  if (plain.length > 0) return plain
  const parsed = page.body.safeParse(values, { error: reasonIn(language) })
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => {
      const at = path.map(String).join('.')
      return {
        path: at,
        message: say('kit:fault.sentence', { field: labelOf(page, at, language), reason: message }),
      }
    })
  const faults = page.check(parsed.data, at.doc, at.traits)
  return faults.map(({ path, text, params = {} }) => ({ path, message: say(text, params) }))
}

/** What is wrong with the values that a page has in a document. */
export const documentFaults = (page: ConfigPage, doc: UciDoc, traits: DeviceTraits, language: Language) =>
  allFaults(page, page.read(doc, traits), { doc, traits }, language)

/**
 * The faults that the edit introduces. Faults that were there before must not block the page: otherwise a device with
 * an unusual but working configuration could not be changed from here at all. The device itself is no stricter.
 */
export function pageFaults(
  page: ConfigPage,
  values: Values,
  running: Values,
  at: Beside,
  language: Language,
): ShownFault[] {
  const found = allFaults(page, values, at, language)
  if (found.length === 0) return found
  const before = new Set(
    allFaults(page, running, at, language).map(({ path, message }) => `${path} ${message}`),
  )
  return found.filter(({ path, message }) => !before.has(`${path} ${message}`))
}
