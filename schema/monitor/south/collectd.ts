/**
 * collectd's mqtt plugin: `prefix/host/plugin-instance/type-instance` and `time:value:value`, with a NUL at the end. The
 * names of the values of a type stand in its types.db; those of what routers send are here, others are numbered. And the JSON of its
 * write_http plugin, which says the names, on any topic: a bridge to MQTT passes it on. A value has the same name in both.
 */
import { SAMPLES_MAX, SOUTH_NAME_MAX, type SouthReading, type SouthSample, southAdapter } from './adapter.ts'
import { type Json, member, momentOf, nameOf, parseJson, textOf, unreadable } from './json.ts'

const rxTx = ['rx', 'tx']
const readWrite = ['read', 'write']
const names = new Map<string, readonly string[]>([
  ['load', ['shortterm', 'midterm', 'longterm']],
  ...['if_octets', 'if_packets', 'if_errors', 'if_dropped'].map((type) => [type, rxTx] as const),
  ...['disk_octets', 'disk_ops', 'disk_merged', 'disk_time'].map((type) => [type, readWrite] as const),
  ['ps_count', ['processes', 'threads']],
  ['io_octets', rxTx],
])

/** `[`: no line begins with it. */
const JSON_LIST = 0x5b
const LINE = /^(N|\d+(?:\.\d+)?)((?::(?:-?nan|U|[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?))+)\0?\s*$/i

/** `disk` and `sda` as `disk-sda`, as in a topic. */
const withInstance = (of: Json, part: 'plugin' | 'type') => {
  const [name, instance] = [nameOf(member(of, part)), nameOf(member(of, `${part}_instance`))]
  return name === null || instance === null ? name : `${name}-${instance}`
}
const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])

/** One list of values with the names that types.db gives them; a single one is called `value` there, which says nothing. */
function valuesOf(list: Json, now: number): SouthSample[] {
  const source = nameOf(member(list, 'host'))
  const [plugin, type] = [withInstance(list, 'plugin'), withInstance(list, 'type')]
  if (source === null || plugin === null || type === null) return []
  const moment = momentOf(member(list, 'time'), now)
  const names = listOf(member(list, 'dsnames'))
  return listOf(member(list, 'values')).flatMap((value, n) => {
    const own = nameOf(names[n]) ?? String(n)
    const name = `${plugin}/${type}${own === 'value' ? '' : `/${own}`}`
    const isRead = typeof value === 'number' || value === null
    return isRead && name.length <= SOUTH_NAME_MAX ? [{ source, name, ...moment, value }] : []
  })
}

function readJson(payload: Uint8Array, now: number): SouthReading {
  const said = parseJson(payload)
  const samples: SouthSample[] = []
  for (const list of listOf(said)) {
    samples.push(...valuesOf(list, now))
    if (samples.length > SAMPLES_MAX) return { samples: samples.slice(0, SAMPLES_MAX), fault: 'tooMuch' }
  }
  return samples.length === 0 ? unreadable : { samples }
}

export const collectd = southAdapter({
  name: 'collectd',
  topics: ['collectd/#'],
  open: () => ({
    read: ({ topic, payload, now }) => {
      if (payload[0] === JSON_LIST) return readJson(payload, now)
      const levels = topic.split('/')
      const [host, plugin, type] = levels.slice(-3)
      const found = LINE.exec(textOf(payload) ?? '')
      if (levels.length < 4 || !host || !plugin || !type || !found) return unreadable
      const [, time = 'N', rest = ''] = found
      const at = time.toUpperCase() === 'N' ? now : Math.round(Number(time) * 1000)
      const values = rest.slice(1).split(':')
      // `if_octets`, `memory-used`: the type ends where the instance begins.
      const known = names.get(type.split('-')[0] ?? '')
      return {
        samples: values.map((text, n) => {
          const value = Number(text)
          const last = values.length === 1 && !known ? '' : `/${known?.[n] ?? n}`
          return {
            source: host,
            name: `${plugin}/${type}${last}`,
            at,
            value: Number.isFinite(value) ? value : null,
          }
        }),
      }
    },
  }),
})
