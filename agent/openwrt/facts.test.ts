/** What the agent reports of its parts is taken by the platform, whatever the configuration of the router says. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { facts } from '#schema/device/section'
import { missingTools, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: the facts of a router, because ${missingTools.join(', ')} is not installed`)

describe.skipIf(missingTools.length > 0)('the facts of a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-5', key: '' })
  afterAll(() => router?.close())
  /** Of one of its functions, which print members of the message. */
  const told = (part: 'remote' | 'wifi' | 'services' | 'network_sections') => {
    const members = router?.ask(['keys', 'status', 'facts'], part) ?? ''
    return facts.payload.parse(JSON.parse(`{"at":0${members}}`))
  }
  const networks = (config: object, ...ssids: string[]) =>
    router?.write(
      'answers/network.wireless-status',
      JSON.stringify({
        radio0: {
          up: true,
          config,
          interfaces: ssids.map((ssid) => ({ config: { ssid, mode: 'ap', encryption: 'psk2' } })),
        },
      }),
    )
  beforeEach(() => networks({ band: '2g', channel: '6' }, 'shop'))

  it('have the port of SSH without leading zeros, and none where it is no number', () => {
    const port = (text: string) => {
      router?.write('etc/config/dropbear', `config dropbear\n\toption Port '${text}'\n`)
      return told('remote').remote?.find(({ name }) => name === 'ssh')?.port
    }
    expect(['22', '022', 'ssh', '0', '65536'].map(port)).toEqual([22, 22, undefined, undefined, undefined])
  })

  it('have the channel of a radio, and none where the radio chooses one', () => {
    const channel = (text: string) => {
      networks({ band: '2g', channel: text }, 'shop')
      return told('wifi').wifi?.[0]?.channel
    }
    expect(['11', '06', '0', 'auto'].map(channel)).toEqual([11, 6, undefined, undefined])
  })

  it('name a network without control characters', () => {
    networks({ band: '2g', channel: '6' }, 'a\u0085b', '\u009f"中文"\u001b')
    expect(told('wifi').wifi?.map(({ ssid }) => ssid)).toEqual(['a b', ' "中文" '])
  })

  it('name only services whose names the platform takes', () => {
    for (const name of ['s'.repeat(32), 's'.repeat(33), '_private', 'Upper'])
      router?.program(`etc/init.d/${name}`, '# USE_PROCD=1')
    const names = told('services').services?.map(({ name }) => name)
    expect(names).toContain('s'.repeat(32))
    expect(names?.filter((name) => /^s{33}$|private|Upper/.test(name))).toEqual([])
  })

  it('are those of the first networks and uplinks where there are more than the platform takes', () => {
    networks({ band: '5g', channel: '36' }, ...Array.from('abcdefghi'))
    const uplinks = ['wan', 'wan1', 'wan2', 'wan3', 'wan4', 'lan']
    router?.write(
      'answers/network.interface-dump',
      JSON.stringify({
        interface: uplinks.map((name) => ({
          interface: name,
          up: true,
          l3_device: name,
          'ipv4-address': [{ address: '192.0.2.1', mask: 24 }],
        })),
      }),
    )
    const { wifi } = told('wifi')
    const { wan, lan } = told('network_sections')
    expect(wifi?.map(({ ssid }) => ssid).join('')).toBe('abcdefgh')
    expect(wan?.map(({ name }) => name)).toEqual(['wan', 'wan1', 'wan2', 'wan3'])
    expect(lan?.ip).toBe('192.0.2.1')
  })
})
