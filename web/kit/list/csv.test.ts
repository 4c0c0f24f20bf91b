import { describe, expect, it } from 'vitest'
import { moment } from '../format.ts'
import { textOf, textOfFile, toCsv } from './csv.ts'

describe('CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', `"'=1+1"`],
    ['  =1+1', `"'  =1+1"`],
    ['\u3000＝1+1', `"'\u3000＝1+1"`],
    ['@cmd,x', '"\'@cmd,x"'],
    [-71, '-71'],
    [null, ''],
  ])('writes %j as %j: quoted where needed, formulas escaped, numbers left alone', (value, text) => {
    expect(toCsv([{ value }], [{ key: 'value', heading: 'x' }])).toBe(`x\r\n${text}`)
  })

  it('has the columns that are asked for, in their order', () => {
    const rows = [{ sn: 'A', online: true, signal: -71 }]
    const csv = toCsv(rows, [
      { key: 'signal', heading: 'Signal' },
      { key: 'online', heading: 'State', text: (row) => (row.online ? 'on' : 'off') },
    ])
    expect(csv).toBe('Signal,State\r\n-71,on')
  })

  it('has times as the list shows them, with the zone in the heading', () => {
    const csv = toCsv(
      [{ startedAt: '2026-01-31T20:30:00.000Z', endedAt: null, stateSince: '2026-01-31T20:30:00.000Z' }],
      [
        { key: 'startedAt', heading: 'Began' },
        { key: 'endedAt', heading: 'Ended' },
        { key: 'stateSince', heading: 'Since' },
      ],
    )
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const began = moment('2026-01-31T20:30:00.000Z')
    expect(csv).toBe(`Began (${zone}),Ended (${zone}),Since (${zone})\r\n${began},,${began}`)
  })
})

it('reads files as UTF-8 or as saved by a Chinese Excel, and detects files that are not text', () => {
  expect(textOf(new TextEncoder().encode('sn,名称'))).toBe('sn,名称')
  expect(textOf(Uint8Array.of(0x73, 0x6e, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6))).toBe('sn,名称')
  expect(textOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1))).toBeNull()
})

it('a file of a Chinese Excel is read as it was written', async () => {
  expect(await textOfFile(new Blob([Uint8Array.of(0x73, 0x6e, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6)]))).toBe(
    'sn,名称',
  )
  expect(await textOfFile(new Blob([Uint8Array.of(0x50, 0x4b, 0)]))).toBeNull()
})
