import { describe, expect, it } from 'vitest'
import { exportUci, parseUci, parseUciPackages, UciFault } from './uci.ts'

const optionsOf = (text: string) =>
  parseUci('p', `config t\n${text}`).sections.map(({ options }) =>
    Object.fromEntries(options.map(({ name, value }) => [name, value])),
  )
const fault = (text: string, parse: (text: string) => unknown = (own) => parseUci('p', own)) => {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof UciFault) return `${error.line}: ${error.reason}`
    throw error
  }
  return null
}

describe('words', () => {
  it.each([
    ["option a 'x y'", 'x y'],
    ['option a "x \\"y\\" \\n"', 'x "y" n'],
    [`option a un'glued'"to gether"`, 'ungluedto gether'],
    ["option a 'it'\\''s'", "it's"],
    ['option a v#cut', 'v'],
    ["option a 'v#kept'", 'v#kept'],
    ['option a "x;y"', 'x;y'],
    ["option a 'back\\slash'", 'back\\slash'],
    ["option a 'two\nlines'", 'two\nlines'],
    ['option a "joined \\\nline"', 'joined line'],
    ['option a joined\\\nline', 'joinedline'],
    ["option a 'raw \\\nline'", 'raw \\\nline'],
    ["option a 'Café ☕'", 'Café ☕'],
    ["\t option \t a  'v'  # why", 'v'],
    ["option a 'v'\r", 'v'],
    ["o a 'short'", 'short'],
  ])('%j reads as %j', (line, value) => {
    expect(optionsOf(`${line}\n`)).toEqual([{ a: value }])
  })

  it('separates commands by a semicolon, but one glued to a plain word loses the rest of the line', () => {
    expect(optionsOf("option a 'x';option b 'y'\n")).toEqual([{ a: 'x', b: 'y' }])
    expect(optionsOf("option a x ;option b 'y'\n")).toEqual([{ a: 'x', b: 'y' }])
    expect(optionsOf("option a x;option b 'y'\noption c 'z'\n")).toEqual([{ a: 'x', c: 'z' }])
  })

  it('needs no line end at the end', () => {
    expect(optionsOf("option a 'v'")).toEqual([{ a: 'v' }])
  })
})

describe('sections and options', () => {
  it('keeps the first place and the last value of a repeated option; an empty value changes nothing, an empty item stays', () => {
    expect(
      exportUci(
        parseUci('p', "config t\noption a 1\noption b 2\noption a 3\noption b ''\noption d ''\nlist c ''\n"),
      ),
    ).toBe("package p\n\nconfig t\n\toption a '3'\n\toption b '2'\n\tlist c ''\n\n")
  })

  it('makes a list of an option that a list follows, and an option of a list that an option follows', () => {
    expect(optionsOf('option a 1\nlist a 2\nlist b 1\noption b 2\n')).toEqual([{ a: ['1', '2'], b: '2' }])
  })

  it('continues a section of the same name and type, and opens a new one for each without a name', () => {
    const { sections } = parseUci('p', 'config t n\noption a 1\nconfig t\nconfig t n\noption b 2\nconfig t\n')
    expect(sections.map(({ name, options }) => [name, options.length])).toEqual([
      ['n', 2],
      [null, 0],
      [null, 0],
    ])
  })
})

describe('a text that libuci refuses', () => {
  it.each([
    ['onfig rule\n', '1: invalid command'],
    ["config t\n\n\toption a 'x' y\n", '3: too many arguments'],
    ["config t\noption a 'x\ny\n", "3: EOF with unterminated '"],
    ['config t\noption a "x\n', '2: EOF with unterminated "'],
    ['option a 1\n', '1: option/list command found before the first section'],
    ['config t a-b\n', '1: invalid character in name field'],
    ['config t\noption a.b 1\n', '2: invalid character in name field'],
    ['config é\n', '1: invalid character in type field'],
    ['config\n', '1: invalid command'],
    ['config t n\nconfig u n\n', '2: section of different type overwrites prior section with same name'],
    ['\uFEFFconfig t\n', '1: invalid command'],
    ['config t\noption a 1;\noption\n', '3: invalid command'],
  ])('%j: %s', (text, reason) => {
    expect(fault(text)).toBe(reason)
  })

  it('is refused where a package is named twice, or not at all', () => {
    expect(fault('config t\n', parseUciPackages)).toBe(
      '1: attempting to import a file without a package name',
    )
    expect(fault('package a\npackage b\npackage a\n', parseUciPackages)).toBe('3: package a twice')
  })
})

describe('packages', () => {
  it('are read from one text by their lines, which a file read by name ignores', () => {
    const text = 'package a\nconfig t n\noption x 1\npackage b-c\nconfig u\n'
    expect(parseUciPackages(text).map(({ name, sections }) => [name, sections.length])).toEqual([
      ['a', 1],
      ['b-c', 1],
    ])
    expect(parseUci('file', text).sections).toHaveLength(2)
  })

  it('read back as what they were exported from', () => {
    const pkg = parseUci(
      'p',
      "config t 'n'\n\toption a 'it'\\''s \"q\"; # no comment \\'\n\tlist l 'a\nb'\nconfig u\n",
    )
    expect(parseUci('p', exportUci(pkg))).toEqual(pkg)
    expect(parseUciPackages(exportUci(pkg))).toEqual([pkg])
  })
})
