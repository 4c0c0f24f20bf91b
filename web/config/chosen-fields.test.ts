import { expect, it } from 'vitest'
import { chosenFrom, countOf, faultIn, pagesOf } from './chosen-fields.ts'

it('a template that is opened and saved again is unchanged', () => {
  const pages = {
    // Kept before rows had all of today's fields; the key is each device's own.
    wireless: {
      networks: [
        { id: '+0', ssid: 'Shop' },
        { id: '+1', security: 'none', ssid: 'Guests' },
      ],
    },
    // The mode that these depend on is left to the devices, or taken from a variable.
    wan: { address: '203.0.113.9' },
    lan: { mode: '{{lanMode}}', leaseTime: '{{lease}}' },
  }
  expect(pagesOf(chosenFrom(pages))).toEqual(pages)
})

it('a number of a row may be a variable', () => {
  const pages = {
    'modbus-gateway': { gateways: [{ id: '+0', device: '/dev/ttyS1', retries: '{{retries}}' }] },
  }
  expect(pagesOf(chosenFrom(pages))).toEqual(pages)
  expect(faultIn(chosenFrom(pages))).toBeNull()
})

it('a blank value of a hidden field is not sent', () => {
  const [page] = Object.values(chosenFrom({ wan: { mode: 'dhcp', address: '' } }))
  if (!page) throw new Error('no page')
  expect(pagesOf({ wan: page })).toEqual({ wan: { mode: 'dhcp' } })
  expect(pagesOf({ wan: { ...page, fields: ['address'] } })).toEqual({})
})

it('of a device by DHCP the fields of a static address are not chosen', () => {
  const chosen = chosenFrom({ wan: { mode: 'dhcp', address: '', netmask: '', hostname: '', metric: 10 } })
  expect(chosen['wan']?.fields).toEqual(['mode', 'hostname', 'metric'])
  expect(countOf(chosen)).toBe(3)
})
