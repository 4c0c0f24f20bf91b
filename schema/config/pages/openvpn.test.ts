import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { applyConfig } from '../commands/config.ts'
import { sampleDoc, section } from '../sample-doc.ts'
import { changedLines, triedPage } from '../tried-page.ts'
import { openvpn } from './openvpn.ts'

const shop = await generate([{ name: 'commonName', value: 'shop' }])
const other = await generate([{ name: 'commonName', value: 'other' }])
const staticKey = `-----BEGIN OpenVPN Static key V1-----\n${`${'0f'.repeat(16)}\n`.repeat(16)}-----END OpenVPN Static key V1-----\n`

const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
const bytes = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
const ec = `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...bytes))}\n-----END PRIVATE KEY-----\n`

const traits = { abilities: new Set(['openvpn']), model: null }
const asInterface = { abilities: new Set(['openvpn', 'openvpnNetifd']), model: null }
const { values, lines, bounds, faults } = triedPage(openvpn)
const { client, server } = values
const serverOn = {
  ...server,
  enabled: true,
  subnet: '10.8.0.0/24',
  ca: shop.cert,
  certificate: shop.cert,
  key: shop.private,
}

it('reads the client, and not the samples of the package', () => {
  expect(client).toMatchObject({
    enabled: true,
    remotes: ['vpn.example 1194'],
    transport: 'tcp',
    tlsMode: 'auth',
    ca: '',
    key: '',
    zone: '',
  })
  expect(server.enabled).toBe(false)
})

describe('certificates and keys', () => {
  const renewed = { ...values, client: { ...client, certificate: shop.cert, key: shop.private } }
  const files = openvpn.files(sampleDoc, renewed, traits)

  it('become files that options name', () => {
    expect(files.map(({ path }) => path.replace(/[0-9a-f]{8}/, '*'))).toEqual([
      '/etc/openvpn/client-cert-*.pem',
      '/etc/openvpn/client-key-*.pem',
    ])
    expect(changedLines(sampleDoc, openvpn.write(sampleDoc, renewed, traits), 'openvpn')).toEqual([
      "- option cert '/etc/openvpn/shop.crt'",
      "- option key '/etc/openvpn/shop.key'",
      `+ option cert '${files[0]?.path}'`,
      `+ option key '${files[1]?.path}'`,
    ])
  })

  it('are texts as programs read them, at paths that the protocol allows', () => {
    const crlf = { ...values, client: { ...client, ca: `\n${shop.cert.replaceAll('\n', '\r\n')}` } }
    const [file] = openvpn.files(sampleDoc, crlf, traits)
    expect(file?.text).toBe(`${shop.cert.trim()}\n`)
    expect(applyConfig.args.shape.files.safeParse(files).success).toBe(true)
  })

  it('stay where nothing is given', () => {
    expect(openvpn.files(sampleDoc, values, traits)).toEqual([])
  })

  it('have another path when they are renewed, and the former file of the page is removed', () => {
    const once = openvpn.write(sampleDoc, renewed, traits)
    const again = { ...openvpn.read(once, traits) }
    const next = openvpn.files(
      once,
      { ...again, client: { ...again.client, certificate: other.cert } },
      traits,
    )
    expect(next).toEqual([
      { path: expect.stringMatching(/^\/etc\/openvpn\/client-cert-/), text: `${other.cert.trim()}\n` },
      { path: files[0]?.path, text: null },
    ])
    expect(next[0]?.path).not.toBe(files[0]?.path)
  })

  it('are not sent from fields that are not shown', () => {
    expect(
      openvpn.files(sampleDoc, { ...values, client: { ...client, tlsCrypt: staticKey } }, traits),
    ).toEqual([])
    expect(openvpn.files(sampleDoc, { ...values, server: { ...serverOn, enabled: false } }, traits)).toEqual(
      [],
    )
  })

  it.each([
    ['ca', 'no certificate'],
    ['ca', shop.private],
    ['certificate', shop.private],
    ['key', shop.cert],
    ['tlsAuth', shop.private],
  ])('of another kind are refused in form and schema: %s', (name, value) => {
    const path = [`client.${name}`]
    expect(bounds({ client: { ...client, [name]: value } })).toEqual({ server: path, form: path })
  })

  const damaged = shop.cert.replace(/\n(.{20})/, '\n')
  const locked = shop.private.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY')
  it.each([
    ['a damaged certificate', { certificate: damaged, key: '' }, 'client.certificate openvpn:fault.damaged'],
    [
      'the key of another certificate',
      { certificate: shop.cert, key: other.private },
      'client.key openvpn:fault.keyFits',
    ],
    [
      'an EC key for an RSA certificate',
      { certificate: shop.cert, key: ec },
      'client.key openvpn:fault.keyFits',
    ],
    [
      'a key with a passphrase',
      { certificate: shop.cert, key: locked },
      'client.key openvpn:fault.passphrase',
    ],
    ['no key of the control channel', { tlsMode: 'crypt' as const }, 'client.tlsCrypt openvpn:fault.missing'],
  ])('are checked: %s', (_, changed, fault) => {
    expect(faults({ client: { ...client, ...changed } })).toEqual([fault])
  })

  it('that belong together are accepted', () => {
    expect(faults({ client: { ...client, certificate: shop.cert, key: shop.private } })).toEqual([])
  })
})

it('makes a server that can start', () => {
  const after = openvpn.write(
    sampleDoc,
    { ...values, server: { ...serverOn, routes: ['192.168.8.0/24'], zone: 'lan' } },
    traits,
  )
  const pathOf = (part: string) => expect.stringContaining(`'/etc/openvpn/server-${part}-`)
  expect(changedLines(sampleDoc, after, 'openvpn')).toEqual([
    "+ config openvpn 'vpn_server'",
    "+ option enabled '1'",
    pathOf('ca'),
    pathOf('cert'),
    pathOf('key'),
    "+ option server '10.8.0.0 255.255.255.0'",
    "+ list push 'route 192.168.8.0 255.255.255.0'",
    "+ option dev 'tun1'",
    "+ option proto 'udp'",
    "+ option topology 'subnet'",
    "+ option keepalive '10 120'",
    "+ option dh 'none'",
    "+ option persist_key '1'",
    "+ option persist_tun '1'",
  ])
  expect(changedLines(sampleDoc, after, 'firewall')).toEqual(["+ list device 'tun1'"])
  const read = openvpn.read(after, traits)
  expect(read.server).toMatchObject({
    enabled: true,
    subnet: '10.8.0.0/24',
    routes: ['192.168.8.0/24'],
    zone: 'lan',
  })
  expect(read.client).toEqual(client)
})

it('makes an interface where OpenVPN is one', () => {
  const fresh = openvpn.read({}, asInterface)
  const after = openvpn.write(
    sampleDoc,
    {
      ...fresh,
      client: {
        ...fresh.client,
        enabled: true,
        remotes: ['192.0.2.9 443'],
        transport: 'tcp',
        username: 'shop',
      },
    },
    asInterface,
  )
  expect(changedLines(sampleDoc, after, 'openvpn')).toEqual([])
  expect(changedLines(sampleDoc, after, 'network')).toEqual([
    "+ config interface 'vpn_client'",
    "+ option disabled '0'",
    "+ option ovpnproto 'tcp'",
    "+ list remote '192.0.2.9 443'",
    "+ option username 'shop'",
    "+ option proto 'openvpn'",
    "+ option dev 'tun0'",
    "+ option client '1'",
    "+ option nobind '1'",
    "+ option persist_key '1'",
    "+ option persist_tun '1'",
  ])
  expect(openvpn.read(after, asInterface).client).toMatchObject({ enabled: true, transport: 'tcp' })
})

it('changes the kind of key of the control channel', () => {
  expect(lines({ client: { ...client, tlsMode: 'crypt', tlsCrypt: staticKey } }, 'openvpn')).toEqual([
    "- option tls_auth '/etc/openvpn/ta.key 1'",
    expect.stringContaining("+ option tls_crypt '/etc/openvpn/client-tls-crypt-"),
  ])
  expect(lines({ client: { ...client, tlsMode: 'none' } }, 'openvpn')).toEqual([
    "- option tls_auth '/etc/openvpn/ta.key 1'",
  ])
  expect(lines({ client: { ...client, tlsAuth: staticKey } }, 'openvpn')).toEqual([
    "- option tls_auth '/etc/openvpn/ta.key 1'",
    expect.stringContaining("+ option tls_auth '/etc/openvpn/client-tls-auth-"),
    "+ option key_direction '1'",
  ])
})

it.each([
  ['client.remotes', { client: { ...client, remotes: ['vpn.example'] } }],
  ['client.remotes', { client: { ...client, remotes: ['vpn.example 70000'] } }],
  ['client.username', { client: { ...client, username: 'two words' } }],
  ['server.port', { server: { ...serverOn, port: 0 } }],
  ['server.subnet', { server: { ...serverOn, subnet: '10.8.0.0' } }],
  ['server.maxClients', { server: { ...serverOn, maxClients: 0 } }],
])('refuses a bad %s in form and schema', (path, changed) => {
  const { server: schema, form } = bounds(changed)
  expect(form).toEqual([path])
  expect(schema.map((one) => one.replace(/\.0$/, ''))).toEqual([path])
})

it('refuses what does not fit together', () => {
  expect(faults({ server: { ...serverOn, subnet: '192.168.0.0/16' } })).toEqual([
    'server.subnet openvpn:fault.overlapsLan',
  ])
  expect(faults({ client: { ...client, zone: 'dmz' } })).toEqual(['client.zone config:missing.zone'])
  expect(faults({ server: { ...serverOn, ca: '', key: '' } })).toEqual([
    'server.ca openvpn:fault.missing',
    'server.key openvpn:fault.missing',
  ])
  const bare = triedPage(openvpn, {})
  const named = {
    ...bare.values.client,
    enabled: true,
    remotes: ['192.0.2.9 443'],
    ca: shop.cert,
    username: 'shop',
  }
  expect(bare.faults({ client: named })).toEqual([])
})

describe('what a server pushes', () => {
  const at = (push: string[]) => ({
    ...sampleDoc,
    openvpn: {
      name: 'openvpn',
      sections: [section('openvpn', 'hq', { enabled: '1', server: '10.8.0.0 255.255.255.0', push })],
    },
  })
  const doc = at(['dhcp-option DNS 10.8.0.1', 'route 192.168.8.0 255.255.255.0', 'block-outside-dns'])
  const read = openvpn.read(doc, traits)
  const pushed = (changed: object) => {
    const after = openvpn.write(doc, { ...read, server: { ...read.server, ...changed } }, traits)
    return after['openvpn']?.sections[0]?.options.find(({ name }) => name === 'push')?.value
  }

  it('is read as routes and as lines', () => {
    expect(read.server).toMatchObject({
      routes: ['192.168.8.0/24'],
      push: ['dhcp-option DNS 10.8.0.1', 'block-outside-dns'],
    })
  })

  it('is changed in one place only, also when both are changed at once', () => {
    expect(pushed({ routes: [] })).toEqual(['dhcp-option DNS 10.8.0.1', 'block-outside-dns'])
    expect(pushed({ push: ['redirect-gateway def1'] })).toEqual([
      'redirect-gateway def1',
      'route 192.168.8.0 255.255.255.0',
    ])
    expect(pushed({ push: [], routes: ['10.1.0.0/16', '10.2.0.0/16'] })).toEqual([
      'route 10.1.0.0 255.255.0.0',
      'route 10.2.0.0 255.255.0.0',
    ])
    expect(pushed({ push: [], routes: [] })).toBeUndefined()
  })

  it('is refused with a quote, and with a route among the lines', () => {
    const bad = { server: { ...serverOn, push: ['echo "x"'] } }
    expect(bounds(bad)).toEqual({ server: ['server.push.0'], form: ['server.push'] })
    const among = { ...values, server: { ...serverOn, push: ['route 10.1.0.0 255.255.0.0'] } }
    expect(faults(among)).toEqual(['server.push openvpn:fault.pushedRoute'])
  })
})
