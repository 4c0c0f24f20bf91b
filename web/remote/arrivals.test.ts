import { describe, expect, it } from 'vitest'
import { Arrivals } from './arrivals.ts'

const FILE = '/tmp/backup.tar.gz'
const known = { sizeBytes: 6, modifiedAt: '2026-11-30T06:00:00.000Z' }
const bytes = (...list: number[]) => Uint8Array.from(list)

describe("downloads of a device's files", () => {
  it('a second click on a file that is arriving starts nothing, and another file may arrive meanwhile', () => {
    const arrivals = new Arrivals()
    expect(arrivals.begin(FILE, known)).toEqual(expect.objectContaining({ bytes: 0 }))
    expect(arrivals.begin(FILE, known)).toBeNull()
    expect(arrivals.begin('/tmp/other', known)).not.toBeNull()
    arrivals.end(FILE, true)
    expect(arrivals.begin(FILE, known)).toEqual(expect.objectContaining({ bytes: 0, parts: [] }))
  })

  it('one that broke off goes on, unless the file has changed since, even to one of the same length', () => {
    const arrivals = new Arrivals()
    const breakOff = () => {
      const arrived = arrivals.begin(FILE, known)
      arrived?.parts.push(bytes(1, 2))
      if (arrived) arrived.bytes = 2
      arrivals.end(FILE, false)
    }
    breakOff()
    expect(arrivals.begin(FILE, known)).toEqual(expect.objectContaining({ bytes: 2, parts: [bytes(1, 2)] }))
    arrivals.end(FILE, true)
    breakOff()
    const later = { ...known, modifiedAt: '2026-11-30T06:01:00.000Z' }
    expect(arrivals.begin(FILE, later)).toEqual(expect.objectContaining({ bytes: 0, parts: [] }))
    arrivals.end(FILE, false)
    expect(arrivals.begin(FILE, { ...later, sizeBytes: 7 })).toEqual(expect.objectContaining({ bytes: 0 }))
  })
})
