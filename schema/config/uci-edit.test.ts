import { describe, expect, it } from 'vitest'
import { exportUci, parseUci, type UciPackage } from './uci.ts'
import { addSection, editUciText, optionOf, removeSection, sectionAt, setOption } from './uci-edit.ts'

const text = `# my router
config interface lan   # at home
	option device "br-lan"
	list dns 9.9.9.9

	# second one
	list dns '1.1.1.1'

config rule
	option name 'first'
	option target ACCEPT

# why not
config rule
	option name 'second'
	option target DROP
`
const before = parseUci('p', text)
const edited = (change: (pkg: UciPackage) => UciPackage, own = text) => {
  const old = parseUci('p', own)
  const after = change(old)
  const result = editUciText(own, old, after)
  expect(exportUci(parseUci('p', result))).toBe(exportUci(after))
  return result
}

describe('edits of a package', () => {
  it('find sections by name and by place of their type', () => {
    expect(sectionAt(before, 'lan')?.type).toBe('interface')
    const last = sectionAt(before, { type: 'rule', index: -1 })
    expect(last && optionOf(last, 'name')).toBe('second')
    expect(sectionAt(before, { type: 'rule', index: 2 })).toBeUndefined()
    expect(sectionAt(before, 'wan')).toBeUndefined()
  })

  it('delete with null, an empty text or an empty list', () => {
    for (const nothing of [null, '', []])
      expect(setOption(before, 0, 'dns', nothing).sections[0]?.options).toEqual([
        { name: 'device', value: 'br-lan' },
      ])
  })
})

describe('the text of a file', () => {
  it('stays as it is without a change', () => {
    expect(edited((pkg) => pkg)).toBe(text)
  })

  it('changes the line of an option only', () => {
    expect(edited((pkg) => setOption(pkg, 1, 'target', "it's"))).toBe(
      text.replace('option target ACCEPT', "option target 'it'\\''s'"),
    )
  })

  it('takes a new option behind the others of its section', () => {
    expect(edited((pkg) => setOption(pkg, 1, 'src', 'wan'))).toBe(
      text.replace('ACCEPT\n', "ACCEPT\n\toption src 'wan'\n"),
    )
  })

  it('loses the line of a deleted option only', () => {
    expect(edited((pkg) => setOption(pkg, 1, 'target', null))).toBe(
      text.replace('\toption target ACCEPT\n', ''),
    )
  })

  it('keeps the items of a list that did not change', () => {
    expect(edited((pkg) => setOption(pkg, 0, 'dns', ['9.9.9.9', '8.8.8.8']))).toContain(
      "\tlist dns 9.9.9.9\n\tlist dns '8.8.8.8'\n",
    )
  })

  it('takes a section before, between and behind the others', () => {
    const made = { type: 'rule', name: null, options: [{ name: 'name', value: 'new' }] }
    const block = "config rule\n\toption name 'new'\n"
    expect(edited((pkg) => addSection(pkg, made))).toBe(`${text}\n${block}`)
    expect(edited((pkg) => addSection(pkg, made, 2))).toBe(text.replace('ACCEPT\n', `ACCEPT\n\n${block}`))
    expect(edited((pkg) => addSection(pkg, made, 0))).toBe(
      text.replace('config interface', `${block}\nconfig interface`),
    )
    expect(edited((pkg) => addSection(pkg, made), '')).toBe(`${block}\n`)
  })

  it('loses a section with what belongs to it', () => {
    expect(edited((pkg) => removeSection(pkg, 1))).toBe(
      text.replace("config rule\n\toption name 'first'\n\toption target ACCEPT\n\n", ''),
    )
  })

  it('moves a section without touching the others', () => {
    const result = edited((pkg) => ({
      ...pkg,
      sections: [pkg.sections[0], pkg.sections[2], pkg.sections[1]].filter((one) => one !== undefined),
    }))
    for (const kept of [
      '# my router',
      'lan   # at home',
      '# second one',
      '# why not',
      'option target ACCEPT',
    ])
      expect(result).toContain(kept)
  })

  it('takes a row of several commands apart only where it changes, and ends the last line', () => {
    const own = "config a 'x';option b 'c'\nconfig a 'y';option b 'c'"
    expect(edited((pkg) => setOption(pkg, 1, 'd', '1'), own)).toBe(
      "config a 'x';option b 'c'\nconfig a 'y'\n\toption b 'c'\n\toption d '1'\n",
    )
  })

  it('is written anew where only that says what is wanted', () => {
    const own = 'config a x\n option b 1\n option c 2\n'
    const result = edited(
      (pkg) => ({
        ...pkg,
        sections: pkg.sections.map((one) => ({ ...one, options: one.options.toReversed() })),
      }),
      own,
    )
    expect(result).toBe("\nconfig a 'x'\n\toption c '2'\n\toption b '1'\n\n")
  })
})
