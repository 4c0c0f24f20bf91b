import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { moment } from '../format.ts'
import { textOf, textOfFile, toCsv } from './csv.ts'

let reader = 'zh-CN'
vi.stubGlobal('localStorage', { getItem: () => reader })

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

  it.each(['createTime', 'updateTime', 'accessTime', 'until'])('knows %s, too, as a time', (key) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const at = '2026-01-31T20:30:00.000Z'
    expect(toCsv([{ [key]: at }], [{ key, heading: 'Time' }])).toBe(`Time (${zone})\r\n${moment(at)}`)
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

describe('a file that is not UTF-8 is read as it was written', () => {
  const of = (language: string, bytes: readonly number[]) => {
    reader = language
    return textOf(Uint8Array.from(bytes))
  }
  it.each([
    ['en-US', [0x54, 0x2c, 0xb0, 0x43, 0x0d, 0x0a, 0x6d, 0xb3, 0x2c], 'T,°C\r\nm³,'],
    ['zh-CN', [0x54, 0x2c, 0xb0, 0x43], 'T,°C'],
    ['zh-CN', [0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xa1, 0xe3, 0x43], '名称,°C'],
    ['en-US', [0xc3, 0xfb, 0xb3, 0xc6], '名称'],
    ['zh-TW', [0xa6, 0x57, 0xba, 0xd9, 0x2c, 0xa5, 0x5c, 0xb2, 0x76], '名稱,功率'],
    ['zh-TW', [0xc3, 0xfb, 0xb3, 0xc6], '名称'],
    ['en-US', [0xff, 0xfe, 0x0d, 0x54, 0xf0, 0x79, 0x09, 0x00, 0x41, 0x00], '名称\tA'],
    ['en-US', [0xfe, 0xff, 0x54, 0x0d], '名'],
  ])('%s: %j', (language, bytes, text) => expect(of(language, bytes)).toBe(text))

  it('or is no text', () => {
    expect(of('en-US', [0xff, 0xfe, 0, 0, 1, 0])).toBeNull()
    expect(of('en-US', [0xff, 0xd8, 0xff, 0xe0, 0, 0x10])).toBeNull()
    expect(of('en-US', [])).toBe('')
  })
})

it('a file of a Chinese Excel is read as it was written', async () => {
  expect(await textOfFile(new Blob([Uint8Array.of(0x73, 0x6e, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6)]))).toBe(
    'sn,名称',
  )
  expect(await textOfFile(new Blob([Uint8Array.of(0x50, 0x4b, 0)]))).toBeNull()
})

it('no page reads a selected file as UTF-8, whatever it is', () => {
  const pages = import.meta.glob<string>(['../../**/*.tsx', '!../../dist/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const choosing = Object.entries(pages).filter(([, source]) => /<File(?:Button|Input)/.test(source))
  expect(choosing.length).toBeGreaterThan(3)
  expect(choosing.filter(([, source]) => /\.text\(\)/.test(source)).map(([path]) => path)).toEqual([])
})

describe('the columns of all lists', () => {
  const web = new URL('../../', import.meta.url)
  const columns = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const source = readFileSync(new URL(file, web), 'utf8')
      return [...source.matchAll(/^ {2}\{\n {4}key: '(\w+)',\n((?: {4}.*\n)*?) {2}\},$/gm)].map(
        ([, key = '', rest = '']) => ({ name: `${file}: ${key}`, rest, source }),
      )
    })

  it('have in words in the CSV what the table shows in words, not the codes of the calls', () => {
    const coded = columns.filter(
      ({ rest }) => /render:.*\slabel=\{t\(`/s.test(rest) && !/^ {4}(text:|csv: false)/m.test(rest),
    )
    expect(columns.length).toBeGreaterThan(100)
    expect(coded.map(({ name }) => name)).toEqual([])
  })

  it('have no two numbers in one cell, which a spreadsheet takes for a date', () => {
    const joins = /\$\{(?:number\()?row\.\w+\)?\} ?\/ ?\$\{(?:number\()?row\.\w+\)?\}/
    /** The text itself, or the function of the page that it is made by. */
    const textOf = ({ rest, source }: (typeof columns)[number]) => {
      const [, text = ''] = /^ {4}text: (.*)/m.exec(rest) ?? []
      const made = source.split('\n').filter((line) => line.startsWith(`const ${text.replace(',', '')} = `))
      return [text, ...made].join('\n')
    }
    const dates = columns.filter((column) => joins.test(textOf(column)))
    expect(dates.map(({ name }) => name)).toEqual([])
  })
})
