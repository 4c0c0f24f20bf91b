/** The page values that a document contains: only fields whose options it has, and no secrets. */
import { calledIn } from '#schema/config/bind-rows'
import type { DeviceTraits } from '#schema/config/config-page'
import type { PageValues } from '#schema/config/many-change'
import { formOfPage, pageList } from '#schema/config/page-list'
import type { UciPlace } from '#schema/config/page-of'
import type { UciDoc } from '#schema/config/uci'
import type { FormField } from '#schema/kit/field'

type Values = Readonly<Record<string, unknown>>

const keyOf = ({ package: of, section, option }: UciPlace) => JSON.stringify([of, section, option])

/** Every section and option of a document, by each way in which a page may name it. */
function saidIn(doc: UciDoc): ReadonlySet<string> {
  const said = new Set<string>()
  for (const of of Object.keys(doc))
    for (const [one, called] of calledIn(doc, of))
      for (const section of [`@${one.type}`, called])
        for (const option of [null, ...one.options.map(({ name }) => name)])
          said.add(keyOf({ package: of, section, option }))
  return said
}

/** Templates take secrets from variables; an empty secret would remove the one that a device has. */
function withoutSecrets(fields: readonly FormField[], values: Values): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const field = byName.get(name)
      if (field?.secret) return []
      if (field?.input === 'fields' && value !== null && typeof value === 'object')
        return [[name, withoutSecrets(field.fields ?? [], value as Values)]]
      if (field?.input === 'rows' && Array.isArray(value))
        return [[name, value.map((row: Values) => withoutSecrets(field.fields ?? [], row))]]
      return [[name, value]]
    }),
  )
}

export function documentValues(doc: UciDoc, traits: DeviceTraits): PageValues {
  const options = saidIn(doc)
  return Object.fromEntries(
    pageList
      .filter(({ needs }) => needs.every((ability) => traits.abilities.has(ability)))
      .flatMap((page) => {
        const places = Object.entries(page.places(doc, traits))
        const said = new Set(
          places.filter(([, place]) => options.has(keyOf(place))).map(([path]) => path.split('.')[0] ?? ''),
        )
        const values = Object.entries(page.read(doc, traits)).filter(([name]) => said.has(name))
        const open = withoutSecrets(formOfPage(page), Object.fromEntries(values))
        return Object.keys(open).length === 0 ? [] : [[page.name, open]]
      }),
  )
}
