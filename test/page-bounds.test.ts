/** [§5] Every bound of every configuration page: form, server and simulated device refuse the same values with the same message. */
import { describe, expect, it } from 'vitest'
import { abilitiesOf } from '#device-sim/config/abilities'
import { pagesOf, refusedByPages } from '#device-sim/config/check'
import { factoryPackage, managedPackages } from '#device-sim/config/factory'
import { identify } from '#device-sim/fleet'
import { models } from '#device-sim/models'
import { reasonIn } from '#infra/reason-in'
import { sayIn } from '#infra/say'
import type { ConfigPage, DeviceTraits } from '#schema/config/config-page'
import { formOfPage, pageList } from '#schema/config/page-list'
import type { UciDoc } from '#schema/config/uci'
import { checkFields } from '#schema/kit/check'
import { holds } from '#schema/kit/condition'
import { type Fault, faultText } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { rules } from '#schema/kit/rules'
import { initialValues } from '#schema/kit/values'

type Values = Record<string, unknown>
const LANGUAGE = 'en-US'

/** Values just outside of each bound of a field. */
function outside(field: FormField): unknown[] {
  const { input, min, max, above, whole, nonzero, minLength = 0, maxLength, pattern, rule, items } = field
  if (input === 'number')
    return [
      ...(min === undefined ? [] : [min - 1]),
      ...(max === undefined ? [] : [max + 1]),
      ...(above === undefined ? [] : [above]),
      ...(whole ? [(min ?? above ?? 0) + 0.5] : []),
      ...(nonzero ? [0] : []),
    ]
  if (input === 'choice') return ['none-of-them']
  if (input === 'tags') return items ? outside(items).map((one) => [one]) : []
  if (input === 'switch' || input === 'fields' || input === 'rows' || input === 'choices') return []
  const odd = ['~!', 'a b', '-', '\u00e4', '0', 'x'.repeat(Math.max(minLength, 1))].filter(
    (text) =>
      text.length >= minLength &&
      text.length <= (maxLength ?? 99) &&
      ((pattern && !new RegExp(...pattern).test(text)) || (rule && !rules[rule](text))),
  )
  return [
    ...(minLength > 1 ? ['a'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
    ...odd.slice(0, 1),
  ]
}

/** Makes the values such that the field is shown. */
function show(fields: readonly FormField[], field: FormField, values: Values): void {
  for (const [name, [allowed]] of Object.entries(field.when ?? {})) {
    const other = fields.find((one) => one.name === name)
    if (other && !holds({ [name]: field.when?.[name] ?? [] }, values)) {
      values[name] = allowed
      show(fields, other, values)
    }
  }
}

type Case = { path: string; bad: unknown; base: Values; values: Values }
type Within = {
  fields: readonly FormField[]
  path: string
  values: (root: Values) => Values
  ready: (root: Values) => void
}

function casesOf(page: ConfigPage, read: Values): Case[] {
  const found: Case[] = []
  const walk = ({ fields, path, values, ready }: Within) => {
    for (const field of fields) {
      const here = `${path}${field.name}`
      const prepare = (root: Values) => {
        ready(root)
        show(fields, field, values(root))
      }
      for (const bad of outside(field)) {
        const [base, changed] = [structuredClone(read), structuredClone(read)]
        prepare(base)
        prepare(changed)
        values(changed)[field.name] = bad
        found.push({ path: here, bad, base, values: changed })
      }
      const inner = field.fields ?? []
      if (field.input === 'fields')
        walk({
          fields: inner,
          path: `${here}.`,
          values: (root) => values(root)[field.name] as Values,
          ready: prepare,
        })
      if (field.input === 'rows')
        walk({
          fields: inner,
          path: `${here}.0.`,
          values: (root) => (values(root)[field.name] as Values[])[0] as Values,
          ready: (root) => {
            prepare(root)
            const rows = (values(root)[field.name] ?? []) as Values[]
            if (rows.length === 0) values(root)[field.name] = [initialValues(inner)]
          },
        })
    }
  }
  walk({ fields: formOfPage(page), path: '', values: (root) => root, ready: () => undefined })
  return found
}

const at = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values)

function deviceOf(page: ConfigPage) {
  const identity = models
    .map(({ name }) => identify('SN-1', name, 1))
    .find((one) => pagesOf(one).includes(page))
  if (!identity) throw new Error(`no model carries out ${page.name}`)
  const site = { identity, seed: 1, configured: true }
  const doc: UciDoc = Object.fromEntries(
    managedPackages(site).flatMap((name) => {
      const one = factoryPackage(site, name)
      return one ? [[name, one]] : []
    }),
  )
  return {
    identity,
    doc,
    traits: { abilities: new Set<string>(abilitiesOf(identity.model)), model: identity.model.name },
  }
}

/** null: there are no words of UCI for a choice that does not exist. */
function written(page: ConfigPage, doc: UciDoc, values: Values, traits: DeviceTraits): UciDoc | null {
  try {
    return page.write(doc, values, traits)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

describe.each(pageList.map((page) => [page.name, page] as const))('the page %s', (_, page) => {
  it('refuses what is out of bounds in form, server and device, and says the same', () => {
    const { identity, doc, traits } = deviceOf(page)
    const cases = casesOf(page, page.read(doc, traits) as Values)
    const different: string[] = []
    let onDevice = 0
    for (const { path, bad, base, values } of cases) {
      const name = `${path}=${JSON.stringify(bad).slice(0, 40)}`
      const fault: Fault | undefined = checkFields(formOfPage(page), values)[path]
      if (!fault) {
        different.push(`${name}: the form takes it`)
        continue
      }
      const text = faultText(fault, sayIn(LANGUAGE))
      const issues = page.body.safeParse(values, { error: reasonIn(LANGUAGE) }).error?.issues ?? []
      const said = issues.filter((one) => one.path.join('.').startsWith(path)).map(({ message }) => message)
      if (!said.includes(text)) different.push(`${name}: form "${text}", server ${JSON.stringify(said)}`)
      const before = page.write(doc, base, traits)
      const after = written(page, doc, values, traits)
      // What no UCI text can say does not reach a device.
      if (after === null || JSON.stringify(at(page.read(after, traits), path)) !== JSON.stringify(bad))
        continue
      onDevice++
      const refused = refusedByPages(identity, before, after)
      if (refused?.reason !== text)
        different.push(`${name}: form "${text}", device ${JSON.stringify(refused?.reason)}`)
    }
    expect(different).toEqual([])
    expect(onDevice).toBeGreaterThan(0)
  })
})
