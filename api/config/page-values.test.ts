import { expect, it } from 'vitest'
import { ROW_ID } from '#schema/config/bind-rows'
import { SECRET_MASK } from '#schema/kit/secret-mask'
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

it('a mask keeps the secret that is known, and is refused where none is: it would set an empty one', () => {
  const key = (given: object, known: object = {}) => {
    const pages = { 'n2n-edge': { key: SECRET_MASK, ...given } }
    return checkPages({ language: 'en-US' }, pages, () => ({ ...known }))['n2n-edge']
  }
  expect(key({}, { key: 'open-sesame' })).toEqual({ key: 'open-sesame' })
  for (const known of [{}, { key: '' }])
    expect(() => key({}, known)).toThrow(expect.objectContaining({ field: 'pages.n2n-edge.key' }))
  // Of a row that the device does not have any more.
  const networks = [{ [ROW_ID]: 'a', radio: 'radio0', ssid: 'shop', key: SECRET_MASK }]
  const rows = (id: string) =>
    checkPages({ language: 'en-US' }, { wireless: { networks } }, () => ({
      networks: [{ ...networks[0], [ROW_ID]: id, key: 'open-sesame' }],
    }))
  expect(rows('a')['wireless']?.['networks']).toMatchObject([{ key: 'open-sesame' }])
  expect(() => rows('b')).toThrow(expect.objectContaining({ field: 'pages.wireless.networks.0.key' }))
})
