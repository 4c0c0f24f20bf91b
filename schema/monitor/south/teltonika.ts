/**
 * Teltonika's routers: answers to questions about parameters (`router/{serial}/{name}`), and Data to Server with the
 * names of its template (`TS`, `SN`, `ADDR`, `DT`). Another template is a mapping.
 */
import { type SouthReading, type SouthSample, southAdapter } from './adapter.ts'
import { member, momentOf, nameOf, parseJson, plain, textOf, unreadable } from './json.ts'

/** Sent as tenths. */
const tenths = new Set(['temperature'])

function registers(value: unknown): unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [value]
  try {
    const inner: unknown = JSON.parse(value)
    return Array.isArray(inner) ? inner : [inner]
  } catch {
    return [value]
  }
}

function segment(said: unknown, fallback: string, now: number): SouthSample[] {
  const source =
    nameOf(member(said, 'SN')) ?? nameOf(member(said, 'D')) ?? nameOf(member(said, 'MAC')) ?? fallback
  const moment = momentOf(member(said, 'TS'), now)
  const address = nameOf(member(said, 'ADDR'))
  return registers(member(said, 'DT')).flatMap((value, n) => {
    const known = plain(value)
    return known === undefined
      ? []
      : [{ source, name: address === null ? String(n) : `${address}/${n}`, ...moment, value: known }]
  })
}

function parameter(source: string, name: string, text: string, now: number): SouthReading {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const value = Number.isFinite(number) ? (tenths.has(name) ? number / 10 : number) : text
  return { samples: [{ source, name, at: now, value }] }
}

export const teltonika = southAdapter({
  name: 'teltonika',
  topics: ['router/#', 'data/#'],
  open: () => ({
    read: ({ topic, payload, now }): SouthReading => {
      const levels = topic.split('/')
      const [first = '', source = '', name = ''] = levels
      if (first === 'router' && levels.length === 3) {
        const text = textOf(payload)
        return text === null ? unreadable : parameter(source, name, text, now)
      }
      // The serial number as an answer to `id`.
      if (topic === 'router/id') return { samples: [] }
      const said = parseJson(payload)
      const segments = Array.isArray(said) ? said : [said]
      if (!segments.some((one) => member(one, 'DT') !== undefined)) return unreadable
      return { samples: segments.flatMap((one) => segment(one, levels.at(-1) ?? '', now)) }
    },
  }),
})
