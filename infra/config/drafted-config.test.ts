import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { pageNamed } from '#schema/config/page-list'
import { sampleDoc, section } from '#schema/config/sample-doc'
import { exportUci, type UciDoc, type UciSection } from '#schema/config/uci'
import { drafted } from './drafted-config.ts'

const shop = await generate([{ name: 'commonName', value: 'shop' }])
const config = {
  device: { id: 1, sn: 'R200-17', customerId: 1, model: 'R200', online: true },
  level: 99,
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

it('blank fields of a section are removed, and fields that are hidden or left out are kept', () => {
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

describe('a page with a value that its form would refuse', () => {
  const rule = (name: string, options: object) =>
    section('rule', null, { name, src: 'lan', proto: 'all', target: 'DROP', ...options })
  const zones = [section('zone', null, { name: 'lan', network: 'lan' })]
  const rules = [rule('night', {}), rule('odd', { proto: '~' }), rule('odder', { proto: '~' })]
  const doc: UciDoc = {
    ...sampleDoc,
    firewall: {
      name: 'firewall',
      sections: [section('defaults', null, { input: 'ACCEPT' }), ...zones, ...rules],
    },
  }
  const traits = { abilities: new Set(['fw4']), model: 'R200' }
  const running = pageNamed('firewall')?.read(doc, traits) as Record<string, object[]>
  const edit = (changes: object) =>
    drafted({ ...config, doc, traits }, [{ ...draft(changes), page: 'firewall' }], 'en-US')
  const written = (changes: object) => {
    const { after, faults } = edit(changes)
    return [faults, after['firewall'] ? exportUci(after['firewall']) : '']
  }

  it('takes edits of its other fields, which are written', () => {
    expect(written({ input: 'DROP' })).toEqual([[], expect.stringContaining("option input 'DROP'")])
    const [, ...others] = running['rules'] ?? []
    expect(written({ rules: others })).toEqual([[], expect.not.stringContaining('night')])
  })

  it('takes no further value of that kind', () => {
    const [first, ...others] = running['rules'] ?? []
    const { faults, after } = edit({ rules: [{ ...first, protocols: ['~'] }, ...others] })
    expect(faults.map(({ path }) => path)).toEqual([expect.stringMatching(/^rules\.\d\.protocols/)])
    expect(after).toEqual(doc)
  })

  it('is still checked as a whole', () => {
    const twice = [...(running['zones'] ?? []), { name: 'lan' }]
    expect(edit({ zones: twice }).faults).toEqual([
      { page: 'firewall', path: 'zones.1.name', message: expect.any(String) },
    ])
  })
})

describe('drafts of several pages', () => {
  const doc = {
    ...sampleDoc,
    firewall: {
      name: 'firewall',
      sections: [
        ...(sampleDoc['firewall']?.sections ?? []),
        section('zone', null, { name: 'guest', network: 'guest' }),
        section('redirect', null, {
          name: 'Kiosk',
          src: 'wan',
          src_dport: '8443',
          dest: 'guest',
          dest_ip: '192.168.9.9',
          target: 'DNAT',
        }),
      ],
    },
  }
  const traits = { abilities: new Set(['openvpn', 'wifi']), model: 'R200' }
  const all = { ...config, doc, traits }
  const read = (name: string) => pageNamed(name)?.read(doc, traits) as Record<string, { name: string }[]>
  const without = (name: string, field: string, row: string) => ({
    page: name,
    changes: { [field]: read(name)[field]?.filter((one) => one.name !== row) },
  })
  const faults = (edits: { page: string; changes: Record<string, unknown> }[], of = all) =>
    drafted(of, edits, 'en-US').faults.map(({ page, path, message }) => `${page} ${path}: ${message}`)
  const zone = without('firewall', 'zones', 'guest')
  const forward = without('port-forward', 'forwards', 'Kiosk')

  it('remove a zone with what uses it, in any order of the pages', () => {
    const { after, faults: found } = drafted(all, [forward, zone], 'en-US')
    expect(found).toEqual([])
    expect(JSON.stringify(after['firewall'])).not.toContain('guest')
  })
  it('cannot remove the zone only: what uses it is named, and nothing of the page is written', () => {
    expect(faults([zone])).toEqual(['firewall zones: The port forward Kiosk still uses the zone guest'])
    const { after } = drafted(all, [zone], 'en-US')
    expect(after).toEqual(doc)
    const forwards = read('port-forward')['forwards']?.map((one) => ({ ...one, reflection: false }))
    const other = { page: 'port-forward', changes: { forwards } }
    expect(faults([zone, other])).toEqual([
      'firewall zones: The port forward Kiosk still uses the zone guest',
    ])
  })
  it('free a port for each other, though the page that gives it up is written later', () => {
    const ssh = (sshPort: number) => ({ page: 'remote-service', changes: { sshPort } })
    const ownSsh = (port: string) => {
      const row = { id: '', src: 'lan', port, protocols: ['tcp'], dest: 'lan', destIp: '192.168.8.9' }
      return {
        page: 'port-forward',
        changes: { forwards: [...(read('port-forward')['forwards'] ?? []), row] },
      }
    }
    expect(faults([ownSsh('2222')])).toEqual([expect.stringContaining('port-forward forwards.2.port')])
    expect(faults([ownSsh('2222'), ssh(2022)])).toEqual([])
    expect(faults([ownSsh('2022'), ssh(2022)])).toEqual([
      expect.stringContaining('port-forward forwards.2.port'),
    ])
  })
  it('leave no page without an interface or a radio that it uses, also if it was not edited', () => {
    const lost = (name: string, type: string, gone: string) => ({
      ...all,
      base: {
        ...doc,
        [name]: {
          name,
          sections: (doc as UciDoc)[name]?.sections.filter(
            (one) => one.type !== type || one.name !== gone,
          ) as UciSection[],
        },
      },
    })
    expect(faults([], lost('network', 'interface', 'lan'))).toEqual([
      'wireless networks.0.networks: The page Wireless still uses the interface lan',
    ])
    expect(faults([], lost('wireless', 'wifi-device', 'radio1'))).toEqual([
      'wireless networks.1.radio: The page Wireless still uses the radio radio1',
      'repeater repeaters.0.radio: The page Repeater still uses the radio radio1',
    ])
  })
  it('are not refused for what was missing before', () => {
    const sections = sampleDoc['wireless']?.sections.filter(({ name }) => name !== 'radio1') ?? []
    const dangling = { ...doc, wireless: { name: 'wireless', sections } }
    expect(faults([zone, forward], { ...all, doc: dangling })).toEqual([])
  })
})

it('a LAN in the network that the WAN has from outside is a fault', () => {
  const reportedWan = [{ name: 'wan', up: true, ip: '192.168.1.77', netmask: '255.255.255.0' }]
  const lan = {
    ...draft({ address: '192.168.1.1', netmask: '255.255.255.0', reservations: [] }),
    page: 'lan',
  }
  const messages = (reported: unknown) =>
    drafted({ ...config, reportedWan: reported }, [lan], 'en-US').faults.map(({ message }) => message)
  expect(messages(reportedWan)).toEqual(['LAN and WAN would be in the same network'])
  expect(messages(undefined)).toEqual([])
})
