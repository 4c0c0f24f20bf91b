import { generate } from 'selfsigned'
import { expect, it } from 'vitest'
import { sampleDoc, section } from '#schema/config/sample-doc'
import { exportUci } from '#schema/config/uci'
import { drafted } from './drafted-config.ts'

const shop = await generate([{ name: 'commonName', value: 'shop' }])
const config = {
  device: { id: 1, sn: 'R200-17', customerId: 1, model: 'R200', online: true },
  row: null,
  doc: sampleDoc,
  traits: { abilities: new Set(['openvpn']), model: 'R200' },
}
const draft = (changes: object) => ({
  page: 'openvpn',
  changes: { ...changes },
  fields: Object.keys(changes),
  by: 'operator',
  at: new Date(0),
  edition: '1',
})
const client = { enabled: true, remotes: ['vpn.example 1194'], tlsMode: 'auth' }

it('a certificate of a draft becomes a file that the resulting document names', () => {
  const edited = draft({ client: { ...client, certificate: shop.cert, key: shop.private } })
  const { files, faults, after } = drafted(config, [edited], 'en-US')
  expect(faults).toEqual([])
  expect(files.map(({ text }) => text)).toEqual([`${shop.cert.trim()}\n`, `${shop.private.trim()}\n`])
  const text = after['openvpn'] ? exportUci(after['openvpn']) : ''
  for (const { path } of files) expect(text).toContain(`'${path}'`)
  expect(text).not.toContain('BEGIN')
})

it('of a draft with a fault nothing is sent', () => {
  const other = draft({ client: { ...client, certificate: shop.cert, key: shop.private, zone: 'dmz' } })
  const { files, faults, after } = drafted(config, [other], 'en-US')
  expect(faults.map(({ page, path, message }) => [page, path, message])).toEqual([
    ['openvpn', 'client.zone', 'There is no zone named dmz'],
  ])
  expect([files, after]).toEqual([[], sampleDoc])
})

it('what a section of a form leaves blank is removed, and what it does not show or say stays', () => {
  const sim1 = { enabled: true, apn: '', auth: 'none', mode: '4g3g', ipType: 'ipv4', metric: 20 }
  const { after, faults } = drafted(config, [{ ...draft({ sim1 }), page: 'sim' }], 'en-US')
  expect(faults).toEqual([])
  const wan1 = after['network']?.sections.find(({ name }) => name === 'wan1')
  expect(wan1?.options).toEqual([
    { name: 'proto', value: 'qmi' },
    { name: 'device', value: '/dev/cdc-wdm0' },
    { name: 'auth', value: 'none' },
    { name: 'username', value: 'shop' },
    { name: 'password', value: 'not-a-real-one' },
    { name: 'modes', value: 'umts,lte' },
    { name: 'metric', value: '20' },
  ])
})

it('what was wrong before the edit does not lock the page, what the edit brings does', () => {
  const host = (ip: string) => section('host', null, { mac: '02:00:5E:10:00:09', ip })
  const doc = {
    ...sampleDoc,
    dhcp: {
      name: 'dhcp',
      sections: [
        section('dhcp', 'lan', { interface: 'lan', start: '100', limit: '50', leasetime: '12h' }),
        host('192.168.8.20'),
        host('192.168.8.21'),
      ],
    },
  }
  const lan = (changes: object) => [{ ...draft(changes), page: 'lan' }]
  expect(drafted({ ...config, doc }, lan({ leaseTime: '2h' }), 'en-US').faults).toEqual([])
  const wider = drafted({ ...config, doc }, lan({ limit: 60_000 }), 'en-US')
  expect(wider.faults.map(({ path }) => path)).toEqual(['limit'])
})
