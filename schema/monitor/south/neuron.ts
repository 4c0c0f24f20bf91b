/** EMQX Neuron, its MQTT plugin: the values, tags and ECP formats. */
import { type SouthSample, southAdapter } from './adapter.ts'
import { isRecord, member, momentOf, nameOf, parseJson, plain, unreadable } from './json.ts'

export const neuron = southAdapter({
  name: 'neuron',
  topics: ['/neuron/#'],
  open: () => ({
    read: ({ payload, now }) => {
      const said = parseJson(payload)
      const source = nameOf(member(said, 'node'))
      if (source === null) return unreadable
      const group = nameOf(member(said, 'group'))
      const moment = momentOf(member(said, 'timestamp'), now)
      const samples: SouthSample[] = []
      const add = (name: string, value: unknown, error: unknown) => {
        const own = { source, name: group === null ? name : `${group}/${name}`, ...moment }
        // Zero is not an error.
        if (error !== undefined && error !== 0) samples.push({ ...own, value: null, quality: 'deviceError' })
        else {
          const known = plain(value)
          if (known !== undefined) samples.push({ ...own, value: known })
        }
      }
      const values = member(said, 'values')
      const errors = member(said, 'errors')
      const tags = member(said, 'tags')
      if (isRecord(values)) for (const [name, value] of Object.entries(values)) add(name, value, undefined)
      if (isRecord(errors)) for (const [name, error] of Object.entries(errors)) add(name, null, error)
      if (Array.isArray(tags))
        for (const tag of tags) {
          const name = nameOf(member(tag, 'name'))
          if (name !== null) add(name, member(tag, 'value'), member(tag, 'error'))
        }
      return { samples }
    },
  }),
})
