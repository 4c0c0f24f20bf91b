import { expect, it } from 'vitest'
import { checkPages } from './page-values.ts'

const check = (values: object, withVariables = true) => {
  try {
    checkPages({ language: 'en-US' }, { wan: { ...values } }, () => ({}), withVariables)
    return null
  } catch (error) {
    return (error as { field?: string }).field
  }
}

it('a field whose condition is left to the devices, or to a variable, is checked when the values are saved', () => {
  expect(check({ netmask: '255.0.255.0' })).toBe('pages.wan.netmask')
  expect(check({ netmask: '255.0.255.0' }, false)).toBe('pages.wan.netmask')
  expect(check({ mode: '{{mode}}', gateway: 'none' })).toBe('pages.wan.gateway')
  expect(check({ netmask: '255.255.255.0' })).toBeNull()
  expect(check({ netmask: '{{mask}}' })).toBeNull()
})

it('but not one that is not shown, nor is one missing that may not be shown', () => {
  expect(check({ mode: 'dhcp', netmask: '255.0.255.0' })).toBeNull()
  expect(check({ netmask: '' })).toBeNull()
  expect(check({ mode: 'static', netmask: '' })).toBe('pages.wan.netmask')
})

it('an entry of a list may contain a variable, too; its other entries are checked', () => {
  expect(check({ dns: ['{{dns}}'] })).toBeNull()
  expect(check({ dns: ['{{dns}}', '192.0.2.53'] })).toBeNull()
  expect(check({ dns: ['{{dns}}', 'none'] })).toBe('pages.wan.dns')
})
