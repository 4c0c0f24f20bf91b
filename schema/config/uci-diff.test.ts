import { describe, expect, it } from 'vitest'
import { threadMs } from '#test/thread-time'
import { exportUci, parseUci } from './uci.ts'
import { diffUci, isSecretOption, maskDoc, uciBatch } from './uci-diff.ts'
import { UCI_MASK, unmaskDoc } from './uci-secrets.ts'

const doc = (name: string, text: string) => ({ [name]: parseUci(name, text) })
const diff = (name: string, before: string, after: string) => diffUci(doc(name, before), doc(name, after))

const rule = (name: string, target = 'ACCEPT') =>
  `config rule\n\toption name '${name}'\n\toption src 'wan'\n\toption proto 'tcp'\n\toption target "${target}"\n`

describe('what differs', () => {
  it('is nothing where options and named sections only stand elsewhere', () => {
    expect(
      diff(
        'network',
        'config interface a\n option x 1\n option y 2\nconfig interface b\n',
        'config interface b\nconfig interface a\n option y 2\n option x 1\n',
      ),
    ).toEqual([])
  })

  it('names option, old and new value', () => {
    expect(
      diff(
        'network',
        'config interface a\n option x 1\n option z 3\n',
        'config interface a\n option x 2\n list y 1\n',
      ),
    ).toEqual([
      {
        package: 'network',
        section: { type: 'interface', name: 'a', index: 0 },
        kind: 'changed',
        option: 'x',
        before: '1',
        after: '2',
      },
      expect.objectContaining({ kind: 'added', option: 'y', after: ['1'] }),
      expect.objectContaining({ kind: 'removed', option: 'z', before: '3' }),
    ])
  })

  it('knows an anonymous section by what it says, though others came before it', () => {
    const changes = diff('firewall', rule('a') + rule('b'), rule('new') + rule('a') + rule('b', 'DROP'))
    expect(changes.map(({ kind, section, option, after }) => [kind, section.index, option, after])).toEqual([
      ['added', 0, undefined, undefined],
      ['added', 0, 'name', 'new'],
      ['added', 0, 'src', 'wan'],
      ['added', 0, 'proto', 'tcp'],
      ['added', 0, 'target', 'ACCEPT'],
      ['changed', 1, 'target', 'DROP'],
    ])
  })

  it('takes the only anonymous section of a type for the same, however much changed', () => {
    const changes = diff(
      'system',
      'config system\n option hostname a\n',
      'config system\n option hostname b\n',
    )
    expect(changes).toMatchObject([{ kind: 'changed', option: 'hostname' }])
  })

  it('reports a move in the firewall, with as few moved rules as possible', () => {
    const changes = diff('firewall', rule('a') + rule('b') + rule('c'), rule('c') + rule('a') + rule('b'))
    expect(changes).toMatchObject([{ kind: 'moved', section: { index: 2 }, before: '2', after: '0' }])
  })

  it('is everything of a package that came or went', () => {
    const changes = diffUci(doc('a', 'config t n\n option x 1\n'), doc('b', 'config t n\n'))
    expect(changes.map(({ package: name, kind, option }) => [name, kind, option])).toEqual([
      ['a', 'removed', undefined],
      ['a', 'removed', 'x'],
      ['b', 'added', undefined],
    ])
  })

  it('is found among thousands of sections at once', () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, i) => rule(`${name}${i}`)).join('')
    const started = threadMs()
    expect(diff('firewall', many('r'), many('r') + rule('last'))).toHaveLength(5)
    expect(diff('firewall', many('r'), many('s'))).not.toEqual([])
    expect(threadMs() - started).toBeLessThan(5000)
  })
})

describe('the batch', () => {
  it('quotes everything and keeps the indexes of anonymous sections true', () => {
    const changes = diff(
      'firewall',
      rule('a') + rule('b') + rule('c'),
      rule('b', "it's") + rule('other one', 'DROP').replaceAll('wan', 'lan').replace('tcp', 'udp'),
    )
    expect(uciBatch(changes)).toBe(
      [
        "set 'firewall.@rule[1].target=it'\\''s'",
        "delete 'firewall.@rule[2]'",
        "delete 'firewall.@rule[0]'",
        "add 'firewall' 'rule'",
        "set 'firewall.@rule[-1].name=other one'",
        "set 'firewall.@rule[-1].src=lan'",
        "set 'firewall.@rule[-1].proto=udp'",
        "set 'firewall.@rule[-1].target=DROP'",
        "commit 'firewall'",
        '',
      ].join('\n'),
    )
  })

  it('replaces a list and names named sections', () => {
    const changes = diff(
      'network',
      'config interface a\n list dns 1\n option x 1\n',
      'config interface a\n list dns 2\nconfig interface b\n option y 1\n',
    )
    expect(uciBatch(changes).split('\n')).toEqual([
      "delete 'network.a.dns'",
      "add_list 'network.a.dns=2'",
      "delete 'network.a.x'",
      "set 'network.b=interface'",
      "set 'network.b.y=1'",
      "commit 'network'",
      '',
    ])
  })
})

describe('secrets', () => {
  it.each([
    ['wireless', 'wifi-iface', 'key', true],
    ['wireless', 'wifi-iface', 'key1', true],
    ['wireless', 'wifi-iface', 'auth_secret', true],
    ['wireless', 'wifi-iface', 'ssid', false],
    ['network', 'interface', 'password', true],
    ['network', 'interface', 'pincode', true],
    ['network', 'interface', 'private_key', true],
    ['network', 'wireguard_wg0', 'preshared_key', true],
    ['network', 'wireguard_wg0', 'public_key', false],
    ['n2n', 'edge', 'key', true],
    ['n2n', 'edge', 'community', false],
    ['snmpd', 'com2sec', 'community', true],
    ['rpcd', 'login', 'password', true],
    ['system', 'gpio_switch', 'gpio_pin', false],
    ['dhcp', 'host', 'mac', false],
  ])('%s %s %s: %s', (pkg, type, option, secret) => {
    expect(isSecretOption(pkg, type, option)).toBe(secret)
  })

  it('are all replaced by the same mask, private keys under any name too', () => {
    const masked = maskDoc(
      doc(
        'wireless',
        "config wifi-iface\n option ssid Cafe\n option key longsecret\n option own '-----BEGIN RSA PRIVATE KEY-----\nx'\n",
      ),
    )
    expect(masked['wireless'] && exportUci(masked['wireless'])).toBe(
      `package wireless\n\nconfig wifi-iface\n\toption ssid 'Cafe'\n\toption key '${UCI_MASK}'\n\toption own '${UCI_MASK}'\n\n`,
    )
  })
})

describe('a text that was masked and edited', () => {
  const known = doc(
    'wireless',
    "config wifi-iface a\n list r0kh 'one'\n list r0kh 'two'\n option key 'old'\n",
  )
  const unmasked = (options: string) => {
    const { doc: taken, lacking } = unmaskDoc(doc('wireless', `config wifi-iface a\n${options}`), known)
    const said = taken['wireless']?.sections[0]?.options.map(({ name, value }) => [name, value]) ?? []
    return { ...Object.fromEntries(said), lacking }
  }

  it('has its secrets again', () => {
    expect(unmasked(`list r0kh '${UCI_MASK}'\nlist r0kh '${UCI_MASK}'\noption key '${UCI_MASK}'\n`)).toEqual({
      r0kh: ['one', 'two'],
      key: 'old',
      lacking: null,
    })
  })

  it('keeps what was written beside the masks of a list', () => {
    expect(unmasked(`list r0kh '${UCI_MASK}'\nlist r0kh 'new'\nlist r0kh '${UCI_MASK}'\n`)).toMatchObject({
      r0kh: ['one', 'new', 'two'],
      lacking: null,
    })
  })

  it('is refused where some masks of a list are missing: nothing says which', () => {
    expect(unmasked(`list r0kh '${UCI_MASK}'\n`).lacking).toBe('wireless.a.r0kh')
    expect(unmasked(`list r0kh '${UCI_MASK}'\nlist r0kh 'new'\n`).lacking).toBe('wireless.a.r0kh')
  })
})
