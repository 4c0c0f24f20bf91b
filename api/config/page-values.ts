/** Values of pages that are set for several devices: checked without any device's document. */
import { fieldFaults } from '#infra/config/page-faults'
import { sayIn } from '#infra/say'
import { configRefusals } from '#schema/config/config-refusals'
import type { PageValues } from '#schema/config/many-change'
import { bareMask, unmaskValues } from '#schema/config/mask-values'
import { formOfPage, pageNamed } from '#schema/config/page-list'
import { templateRefusals } from '#schema/config/template-refusals'
import { isVariableText } from '#schema/config/template-stack'
import { faultText } from '#schema/kit/fault'
import { valueAt } from '#schema/kit/new-faults'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { CallContext } from '../kit/handler.ts'

type Values = Readonly<Record<string, unknown>>

const isLeftOpen = (value: unknown): boolean =>
  isVariableText(value) || (Array.isArray(value) && value.length > 0 && value.every(isVariableText))

/** Fields with variables are not checked, nor entries of lists: whether their values fit depends on the device. */
function withoutVariables(value: unknown): unknown {
  if (isVariableText(value)) return undefined
  if (Array.isArray(value)) return value.filter((one) => !isVariableText(one)).map(withoutVariables)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !isLeftOpen(one))
      .map(([name, one]) => [name, withoutVariables(one)]),
  )
}

/**
 * `known`: the values behind the masks, by page. @throws Refusal naming the first field that no device could take, or whose mask has
 * nothing behind it: the device that values are copied from may have changed meanwhile
 */
export function checkPages(
  { language }: Pick<CallContext, 'language'>,
  pages: PageValues,
  known: (page: string) => Values,
  withVariables = false,
): PageValues {
  return Object.fromEntries(
    Object.entries(pages).map(([name, given]) => {
      const page = pageNamed(name) ?? refuse(configRefusals.pageUnknown, {}, `pages.${name}`)
      const form = formOfPage(page)
      const unknown = Object.keys(given).find((field) => !form.some((one) => one.name === field))
      if (unknown !== undefined)
        refuse(
          sessionRefusals.invalid,
          { field: unknown, reason: faultText({ reason: 'unknown' }, sayIn(language)) },
          `pages.${name}.${unknown}`,
        )
      const secrets = known(name)
      const bare = bareMask(form, given, secrets)
      if (bare !== null) refuse(templateRefusals.valueMasked, {}, `pages.${name}.${bare}`)
      const values = unmaskValues(form, given, secrets)
      const plain = (withVariables ? withoutVariables(values) : values) as Values
      // A field that is set by a variable is not missing.
      const asked = form.filter((field) => field.name in plain)
      const [fault] = fieldFaults(page, asked, plain, language, true).filter(
        ({ path }) => !withVariables || !isLeftOpen(valueAt(values, path)),
      )
      if (fault) refuse(configRefusals.valueRefused, { fault: fault.message }, `pages.${name}.${fault.path}`)
      return [name, values]
    }),
  )
}
