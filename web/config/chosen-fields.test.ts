import { expect, it } from 'vitest'
import { chosenFrom, countOf, faultIn, isOffered, pagesOf, untouched } from './chosen-fields.ts'
import { pageNamed } from './config-pages.ts'

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

it('name servers may be chosen without the type of the connection, but not with one that has none', () => {
  const wan = pageNamed('wan')
  if (!wan) throw new Error('no page')
  const offered = (fields: string[], mode: string) =>
    isOffered(wan, 'dns', { fields, values: { ...untouched(wan), mode } })
  expect([offered([], ''), offered(['mode'], 'dhcp'), offered(['mode'], 'none')]).toEqual([true, true, false])
  const values = { ...untouched(wan), dns: ['192.0.2.53'] }
  expect(pagesOf({ wan: { fields: ['dns'], values } })).toEqual({ wan: { dns: ['192.0.2.53'] } })
})
