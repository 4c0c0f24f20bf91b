/** The mapping that a user writes for a source that no adapter knows: where in its JSON the names and values are. */
import { SAMPLES_MAX, SOUTH_NAME_MAX, type SouthMapping, type SouthSample, southAdapter } from './adapter.ts'
import { isRecord, type Json, momentOf, nameOf, parseJson, plain, unreadable } from './json.ts'
import { isPlace, isPointer, placed, pointed } from './place.ts'

/**
 * Places that are looked at in one message, whether there is a value or not: each of a thousand rows may name the same list of thousands beside them.
 */
const PLACES_MAX = 4 * SAMPLES_MAX

const NAMED = /^([^=]{1,200}?)\s*=\s*(\/.*)$/

/** The lines `name = /pointer`; null: one of them is not. */
export function namedLines(text: string): { name: string; at: string }[] | null {
  const lines = text.split('\n').map((line) => line.trim())
  const read = lines.filter((line) => line !== '').map((line) => NAMED.exec(line))
  return read.every((found) => found !== null && isPointer(found[2] ?? ''))
    ? read.map((found) => ({ name: (found?.[1] ?? '').trim(), at: found?.[2] ?? '' }))
    : null
}

/** The first part that cannot be used; null: all can. */
export function whyMappingRefused(mapping: SouthMapping): keyof SouthMapping | null {
  for (const part of ['rowsAt', 'valuesAt'] as const) if (!isPointer(mapping[part] ?? '')) return part
  for (const part of ['terminalAt', 'timeAt', 'nameAt', 'valueAt'] as const)
    if (!isPlace(mapping[part] ?? '')) return part
  if (!mapping.terminalAt) return 'terminalAt'
  if (namedLines(mapping.named ?? '') === null) return 'named'
  return mapping.valueAt && !mapping.nameAt ? 'nameAt' : null
}

/** Members of an object by their names, elements of a list by their place. A list may be encoded in a text. */
function entries(value: Json): [string, Json][] {
  if (isRecord(value)) return Object.entries(value)
  if (Array.isArray(value)) return value.map((one, n) => [String(n), one])
  if (typeof value !== 'string' || !value.startsWith('[')) return []
  try {
    const inner: unknown = JSON.parse(value)
    return Array.isArray(inner) ? inner.map((one, n) => [String(n), one]) : []
  } catch {
    return []
  }
}

export const mapping = southAdapter({
  name: 'mapping',
  topics: [],
  open: (parts) => {
    const named = namedLines(parts.named ?? '') ?? []
    // Without a path to the values: the members of the row.
    const takesAll = Boolean(parts.valuesAt) || (named.length === 0 && !parts.valueAt)
    return {
      read: ({ topic, payload, now }) => {
        const whole = parseJson(payload)
        const found = whole === undefined ? undefined : pointed(whole, parts.rowsAt ?? '')
        if (found === undefined) return unreadable
        const rows = Array.isArray(found) ? found : [found]
        const samples: SouthSample[] = []
        const listed = new Map<Json, [string, Json][]>()
        const entriesOf = (value: Json) => {
          const known = listed.get(value) ?? entries(value)
          listed.set(value, known)
          return known
        }
        let places = 0
        for (const row of rows) {
          places++
          if (places > PLACES_MAX || samples.length >= SAMPLES_MAX) return { samples, fault: 'tooMuch' }
          const at = (place: string) => placed(place, row, whole, topic)
          const source = nameOf(at(parts.terminalAt ?? ''))
          if (source === null) continue
          const moment = momentOf(parts.timeAt ? at(parts.timeAt) : null, now)
          const own = parts.nameAt ? nameOf(at(parts.nameAt)) : null
          const before = own === null ? '' : `${own}/`
          const listedHere = takesAll ? entriesOf(at(parts.valuesAt ?? '')) : []
          places += listedHere.length + named.length
          const pairs: [string, Json][] = [
            ...listedHere
              .slice(0, SAMPLES_MAX)
              .map(([name, value]): [string, Json] => [before + name, value]),
            ...named.map((line): [string, Json] => [line.name, at(line.at)]),
          ]
          if (own !== null && parts.valueAt) pairs.push([own, at(parts.valueAt)])
          for (const [name, value] of pairs) {
            const known = plain(value)
            const isName = name !== '' && name.length <= SOUTH_NAME_MAX
            if (known !== undefined && isName && samples.length < SAMPLES_MAX)
              samples.push({ source, name, ...moment, value: known })
          }
        }
        return samples.length === 0 ? unreadable : { samples }
      },
    }
  },
})
