/** King Pigeon's gateways and remote units: one topic for each, the serial number at its end. */
import { type SouthSample, southAdapter } from './adapter.ts'
import { member, momentOf, nameOf, parseJson, plain, unreadable } from './json.ts'

const asNumber = (value: string) =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value

/** A switch is 0 or 1, as a number or a text. */
const asSwitch = (value: unknown) =>
  value === 1 || value === '1' || value === true
    ? true
    : value === 0 || value === '0' || value === false
      ? false
      : null

export const kingPigeon = southAdapter({
  name: 'kingPigeon',
  topics: [],
  open: () => ({
    read: ({ topic, payload, now }) => {
      const said = parseJson(payload)
      const list = member(said, 'sensorDatas')
      if (!Array.isArray(list)) return unreadable
      // Sent to it, not by it.
      if (member(said, 'down') !== undefined) return { samples: [] }
      const source = topic.split('/').findLast((level) => level !== '') ?? ''
      // `addTime` is local time without a zone: better the time of arrival than hours off.
      const moment = momentOf(member(said, 'time'), now)
      const late = member(said, 'retransmit') === 'enable' ? ({ late: true } as const) : {}
      const samples: SouthSample[] = []
      for (const one of list) {
        const name = nameOf(member(one, 'flag'))
        if (name === null) continue
        const [value, switcher, text] = ['value', 'switcher', 'str'].map((part) => member(one, part))
        const known =
          switcher !== undefined
            ? asSwitch(switcher)
            : typeof value === 'string'
              ? asNumber(value)
              : plain(value === undefined ? text : value)
        if (known !== undefined) samples.push({ source, name, ...moment, value: known, ...late })
      }
      return { samples }
    },
  }),
})
