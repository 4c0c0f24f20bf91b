import { expect, it } from 'vitest'
import { eventReader } from './event-stream.ts'

it('reads events that come in pieces, and leaves out comments', () => {
  const heard: [string, string][] = []
  const read = eventReader((event, data) => heard.push([event, data]))
  for (const piece of ['event: val', 'ues\ndata: {"a":', '1}\n', '\n: \n\nevent: end\ndata: 2\n\nevent: x'])
    read(piece)
  expect(heard).toEqual([
    ['values', '{"a":1}'],
    ['end', '2'],
  ])
})
