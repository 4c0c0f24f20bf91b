/** Where a mapping finds something: in the message, in its topic, or as it is written. Pure. */
import { isRecord, type Json, member } from './json.ts'

const TOPIC = /^topic\/([1-8])$/
const LEVELS_MAX = 16

/** A JSON pointer (RFC 6901), `topic/2` for a level of the topic, or `=` and a text. */
export const isPlace = (text: string): boolean =>
  text === '' || isPointer(text) || TOPIC.test(text) || (text.startsWith('=') && text.length > 1)

export const isPointer = (text: string): boolean =>
  text === '' || (/^(\/([^~/]|~[01])*)+$/.test(text) && text.split('/').length <= LEVELS_MAX + 1)

/** undefined: there is nothing there. */
export function pointed(value: Json, pointer: string): Json {
  if (pointer === '') return value
  let at = value
  for (const level of pointer.slice(1).split('/')) {
    const name = level.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = /^(0|[1-9]\d{0,5})$/.test(name) ? at[Number(name)] : undefined
    else if (isRecord(at)) at = member(at, name)
    else return undefined
  }
  return at
}

/** `row` is looked in first, then the whole message: a timestamp is often outside of the list of rows. */
export function placed(place: string, row: Json, whole: Json, topic: string): Json {
  if (place.startsWith('=')) return place.slice(1)
  const level = TOPIC.exec(place)?.[1]
  if (level !== undefined) return topic.split('/')[Number(level) - 1]
  const found = pointed(row, place)
  return found === undefined ? pointed(whole, place) : found
}
