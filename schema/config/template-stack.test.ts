import { expect, it } from 'vitest'
import { formOf } from '../kit/form.ts'
import { lan } from './pages/lan.ts'
import { stacked } from './template-stack.ts'

const fields = formOf(lan.body)

function startOf(value: string): unknown {
  const whole = { groupId: null, deviceId: null }
  const book = {
    templates: [{ id: 1, name: 'Shops', pages: { lan: { start: '{{start}}' } } }],
    uses: [{ ...whole, templateId: 1, place: 1 }],
    variables: [{ name: 'start', values: [{ ...whole, value }] }],
    parents: new Map(),
  }
  return stacked(book, { deviceId: 1, groupId: 1 }, {}, () => fields).pages['lan']?.['start']
}

it.each([
  ['50', 50],
  [' 50 ', 50],
  ['', null],
  ['0x32', Number.NaN],
  ['5e1', Number.NaN],
  ['many', Number.NaN],
])('a number field takes "%s" of a variable as %s', (text, value) => {
  expect(startOf(text)).toEqual(value)
})
