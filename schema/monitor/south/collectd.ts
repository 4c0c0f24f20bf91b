/**
 * collectd's mqtt plugin: `prefix/host/plugin-instance/type-instance` and `time:value:value`, with a NUL at the end. The
 * names of the values of a type stand in its types.db; those of what routers send are here, others are numbered.
 */
import { southAdapter } from './adapter.ts'
import { textOf, unreadable } from './json.ts'

const rxTx = ['rx', 'tx']
const readWrite = ['read', 'write']
const names = new Map<string, readonly string[]>([
  ['load', ['shortterm', 'midterm', 'longterm']],
  ...['if_octets', 'if_packets', 'if_errors', 'if_dropped'].map((type) => [type, rxTx] as const),
  ...['disk_octets', 'disk_ops', 'disk_merged', 'disk_time'].map((type) => [type, readWrite] as const),
  ['ps_count', ['processes', 'threads']],
  ['io_octets', rxTx],
])

const LINE = /^(N|\d+(?:\.\d+)?)((?::(?:-?nan|U|[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?))+)\0?\s*$/i

export const collectd = southAdapter({
  name: 'collectd',
  topics: ['collectd/#'],
  open: () => ({
    read: ({ topic, payload, now }) => {
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
