import { describe, expect, it } from 'vitest'
import { line, paragraph, sentLine } from './person.ts'

describe('a name', () => {
  it.each(['演示客户', 'Zoë 2 — west', '👩‍🔧 team', 'می‌خواهم', ' padded '])('may be %s', (text) => {
    expect(line(64).min(1).safeParse(text).success).toBe(true)
  })

  it.each([
    ['a line break', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['a control character', 'a\u0007b'],
    ['what turns the text around', '\u202Emoc.live'],
    ['nothing visible', '\u200B\u2060'],
    ['nothing visible between spaces', '\u200B \u200B'],
    ['only a letter that is drawn as nothing', '\u3164'],
    ['only an empty Braille cell', '\u2800'],
    ['NUL', 'a\0'],
  ])('may not have %s', (_what, text) => {
    expect(line(64).min(1).safeParse(text).success).toBe(false)
  })

  it('is trimmed, so that pasting a whole line works', () => {
    expect(line(64).parse('west\r\n')).toBe('west')
  })
})

it('of what devices are sent has no tabs, which they do not take', () => {
  expect(sentLine(64).min(1).parse('south\tline')).toBe('south line')
  expect(sentLine(64).min(1).safeParse('a\nb').success).toBe(false)
})

it('a remark may have several lines', () => {
  expect(paragraph(64).safeParse('one\ntwo').success).toBe(true)
})
