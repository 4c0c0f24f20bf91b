import { describe, expect, it, vi } from 'vitest'

vi.mock('i18next', () => ({ default: { t: (key: string) => key, exists: () => false } }))
const { default: forms } = await import('virtual:forms')
const { columnsFor, countFields, isWide, ONE_COLUMN_FIELDS } = await import('./form-layout.ts')
const { shownFields, textsOfWord } = await import('./form-model.ts')

const fieldsOf = (call: string) => {
  const form = forms[call]
  if (!form) throw new Error(`${call} has no form`)
  return shownFields(
    form.fields.map(({ name }) => name),
    form.fields,
    textsOfWord(form.word),
  )
}

describe('a form', () => {
  it('has one column up to twelve fields, and two beyond', () => {
    const [field] = fieldsOf('contact/createContact')
    if (!field) throw new Error('no field')
    const many = (count: number) => Array.from({ length: count }, () => field)
    expect([columnsFor(many(ONE_COLUMN_FIELDS)), columnsFor(many(ONE_COLUMN_FIELDS + 1))]).toEqual([
      'one',
      'two',
    ])
  })

  it('counts the fields of its sections', () => {
    const all = fieldsOf('levelUp/addLevelUp')
    expect(countFields(all)).toBeGreaterThan(all.length)
  })

  it('draws long texts over both columns', () => {
    const rule = fieldsOf('alarm/createAlarmRule')
    const wide = rule.filter(isWide).map(({ name }) => name)
    expect(wide).toContain('groupIds')
    expect(wide).not.toContain('name')
    const [field] = rule
    if (!field) throw new Error('no field')
    const drawn = { ...field, input: 'text' as const, Draw: () => null }
    expect([isWide(drawn), isWide({ ...drawn, narrow: true })]).toEqual([true, false])
  })

  it.each(['alarm/createAlarmRule', 'user/addUser'])('%s is one of those with two columns', (call) => {
    expect(columnsFor(fieldsOf(call))).toBe('two')
  })
})
