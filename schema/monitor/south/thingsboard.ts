/** ThingsBoard's gateway and device API over MQTT; its topics are fixed. */
import { type SouthReading, type SouthSample, southAdapter } from './adapter.ts'
import { isRecord, type Json, member, momentOf, nameOf, parseJson, plain, unreadable } from './json.ts'

/** `{ ts, values }`, or the values by themselves, or a list of either. */
function telemetry(source: string, said: Json, now: number): SouthSample[] {
  const entries = Array.isArray(said) ? said : [said]
  return entries.flatMap((entry) => {
    const inner = member(entry, 'values')
    const values = isRecord(inner) ? inner : entry
    if (!isRecord(values)) return []
    const moment = momentOf(isRecord(inner) ? member(entry, 'ts') : null, now)
    return Object.entries(values).flatMap(([name, value]) => {
      const known = plain(value)
      return known === undefined ? [] : [{ source, name, ...moment, value: known }]
    })
  })
}

export const thingsboard = southAdapter({
  name: 'thingsboard',
  topics: ['v1/gateway/#', 'v1/devices/me/#'],
  fixed: true,
  open: () => ({
    read: ({ topic, payload, now }): SouthReading => {
      const said = parseJson(payload)
      if (said === undefined) return unreadable
      switch (topic) {
        case 'v1/gateway/telemetry':
        case 'v1/gateway/attributes':
          if (!isRecord(said)) return unreadable
          return { samples: Object.entries(said).flatMap(([source, own]) => telemetry(source, own, now)) }
        case 'v1/devices/me/telemetry':
        case 'v1/devices/me/attributes':
          return { samples: telemetry('me', said, now) }
        case 'v1/gateway/disconnect': {
          const source = nameOf(member(said, 'device'))
          return { samples: [], ended: source === null ? [] : [{ source, at: now }] }
        }
        default:
          // Connect, claims and answers to calls that we do not make.
          return { samples: [] }
      }
    },
  }),
})
