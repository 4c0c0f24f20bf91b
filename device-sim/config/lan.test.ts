import { expect, it } from 'vitest'
import { parseUci, type UciDoc } from '#schema/config/uci'
import { facts } from '#schema/device/section'
import { accessPoints, lanOf, remoteOf } from './lan.ts'

const docOf = (texts: Record<string, string>): UciDoc =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseUci(name, text)]))

const network = "config interface 'lan'\n\toption ipaddr '192.168.7.1'\n\toption netmask '255.255.255.0'\n"
const pool = (lease: string) => `config dhcp 'lan'\n\toption interface 'lan'\n\toption leasetime '${lease}'\n`

it.each([
  ['12h', 43_200],
  // Of no length that the platform could show.
  ['infinite', undefined],
  ['999w', undefined],
])('a lease of %s is %s s', (lease, seconds) => {
  const { ip, netmask, dhcp, from, to, leaseS } = lanOf(docOf({ network, dhcp: pool(lease) }))
  expect(leaseS).toBe(seconds)
  const said = { at: 1, lan: { ip, netmask, dhcp, dhcpFrom: from, dhcpTo: to, leaseS } }
  expect(facts.payload.safeParse(JSON.parse(JSON.stringify(said))).success).toBe(true)
})

it('what somebody has written into a file of the device never makes all its facts invalid', () => {
  const long = 'x'.repeat(80)
  const doc = docOf({
    uhttpd: "config uhttpd 'main'\n\toption listen_http '0.0.0.0:70000'\n",
    dropbear: "config dropbear\n\toption Port '22.5'\n",
    telnet: "config telnet 'telnet'\n\toption enabled '1'\n\toption port '-23'\n",
    n2n: `config edge\n\toption enabled '1'\n\toption ipaddr '${long}'\n`,
    wireless: `config wifi-device 'radio0'\n\toption channel '999'\n\nconfig wifi-iface\n\toption device 'radio0'\n\toption mode 'ap'\n\toption ssid '${long}'\n\toption encryption '${long}'\n`,
  })
  const { web, ssh, telnet, n2n } = remoteOf(doc)
  const said = {
    at: 1,
    wifi: accessPoints(doc).map(({ on, ...rest }) => ({ ...rest, up: on })),
    remote: [
      { name: 'web', ...web },
      { name: 'ssh', ...ssh },
      { name: 'telnet', ...telnet },
      { name: 'n2n', ...n2n },
    ],
  }
  expect(facts.payload.safeParse(said).error).toBe(undefined)
})
