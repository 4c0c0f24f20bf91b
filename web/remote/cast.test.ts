import { expect, it } from 'vitest'
import { findIn, readCast, sizeIn } from './cast.ts'

const cast = (...events: unknown[]) =>
  readCast([{ version: 2, width: 100, height: 30 }, ...events].map((line) => JSON.stringify(line)).join('\n'))

it('reads header and events, and skips anything else', () => {
  const text = [
    '{"version":2,"width":100,"height":30}',
    '[0.5,"o","a"]',
    'nonsense',
    '[0.2,"o","earlier than the one before"]',
    '[1,"r","120x40"]',
    '[2,"o",7]',
    '[1.5,"o","half a li',
  ].join('\n')
  expect(readCast(text)).toEqual({
    columns: 100,
    rows: 30,
    events: [
      { at: 0.5, code: 'o', text: 'a' },
      { at: 1, code: 'r', text: '120x40' },
    ],
    lengthS: 1,
  })
})

it('refuses other versions and other files', () => {
  for (const text of ['', '[]', 'null', '{"version":1}', '{"version":3}', '<html>'])
    expect(readCast(text), text).toBeNull()
})

it('bounds the size that a file asks for', () => {
  const huge = readCast('{"version":2,"width":1e9,"height":-1}')
  expect(huge).toMatchObject({ columns: 80, rows: 24 })
  expect(['132x43', '1x1', '0x9', '999999x1', 'axb'].map(sizeIn)).toEqual([
    { columns: 132, rows: 43 },
    null,
    null,
    null,
    null,
  ])
})

it('finds lines that were shown in pieces, coloured or typed, without control sequences', () => {
  const found = cast(
    [0, 'o', 'root@R200:~# '],
    [1, 'o', 'l'],
    [1.5, 'o', 'ogread\r\n\u001b[31mERR'],
    [2, 'o', 'OR\u001b[0m wan down\r\nok\r\n'],
    [3, 'i', 'error of the input is not shown\n'],
    [4, 'o', '\u001b]0;error title\u0007last line with 错误 Error'],
  )
  expect(found && findIn(found, 'error')).toEqual([
    { at: 2, line: 'ERROR wan down' },
    { at: 4, line: 'last line with 错误 Error' },
  ])
  expect(found && findIn(found, 'logread')).toEqual([{ at: 1.5, line: 'root@R200:~# logread' }])
  expect(found && findIn(found, '  ')).toEqual([])
})
