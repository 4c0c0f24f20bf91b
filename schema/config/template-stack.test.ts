import { expect, it } from 'vitest'
import { formOf } from '../kit/form.ts'
import { lan } from './pages/lan.ts'
import { stacked } from './template-stack.ts'

const fields = formOf(lan.body)

function valueFrom(field: string, value: string): unknown {
  const whole = { groupId: null, deviceId: null }
  const book = {
    templates: [{ id: 1, name: 'Shops', pages: { lan: { [field]: '{{given}}' } } }],
    uses: [{ ...whole, templateId: 1, place: 1 }],
    variables: [{ name: 'given', values: [{ ...whole, value }] }],
    parents: new Map(),
  }
  return stacked(book, { deviceId: 1, groupId: 1 }, {}, () => fields).pages['lan']?.[field]
}

it.each([
  ['50', 50],
  [' 50 ', 50],
  ['', null],
  ['0x32', Number.NaN],
  ['5e1', Number.NaN],
  ['many', Number.NaN],
])('a number field takes "%s" of a variable as %s', (text, value) => {
  expect(valueFrom('start', text)).toEqual(value)
})

it.each([
  ['yes', true],
  [' On ', true],
  ['enabled', true],
  ['0', false],
  ['OFF', false],
  ['disabled', false],
  ['', false],
  ['ja', 'ja'],
  ['ture', 'ture'],
  ['10', '10'],
])('a switch takes "%s" of a variable as %j: what is neither yes nor no is refused', (text, value) => {
  const taken = valueFrom('dhcp', text)
  expect(taken).toEqual(value)
  expect(lan.body.shape.dhcp.safeParse(taken).success).toBe(typeof value === 'boolean')
})
