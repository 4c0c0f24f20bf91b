import { expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { pingWatch } from './ping-watch.ts'

const page = triedPage(pingWatch, deviceDoc)
const [watch] = page.values.watches
if (!watch) throw new Error('the sample has a watch')

it('reads a former name of the mode, and what the program does without an option', () => {
  expect(watch).toMatchObject({
    mode: 'ping_reboot',
    period: '6h',
    hosts: ['192.0.2.1', 'ntp.example'],
    pingPeriod: '60',
    forceDelay: '60',
  })
})

it('writes the hosts as one option', () => {
  expect(page.lines({ watches: [{ ...watch, hosts: ['192.0.2.1', '192.0.2.2'] }] }, 'watchcat')).toEqual([
    "- option pinghosts '192.0.2.1 ntp.example'",
    "+ option pinghosts '192.0.2.1 192.0.2.2'",
  ])
})

it.each(['ping_reboot', 'periodic_reboot'] as const)(
  'refuses to reboot more often than every 5 minutes: %s',
  (mode) => {
    const every = (period: string) => page.faults({ watches: [{ ...watch, mode, period, pingPeriod: '30' }] })
    for (const period of ['299', '299s', '4m', '120'])
      expect(every(period)).toEqual(['watches.0.period ping-watch:fault.rebootsTooOften'])
    for (const period of ['300', '5m', '1d']) expect(every(period)).toEqual([])
  },
)

it('need not force a reboot that hangs', () => {
  const never = { watches: [{ ...watch, forceDelay: '0' }] }
  expect(page.bounds(never)).toEqual({ server: [], form: [] })
  expect(page.lines(never, 'watchcat')).toEqual(["+ option forcedelay '0'"])
})

it('restarts a network device sooner, and asks which', () => {
  const soon = { ...watch, mode: 'restart_iface' as const, period: '2m', pingPeriod: '30' }
  expect(page.faults({ watches: [{ ...soon, interface: 'pppoe-wan' }] })).toEqual([])
  expect(page.faults({ watches: [soon] })).toEqual(['watches.0.interface ping-watch:fault.noInterface'])
})

it('refuses pings that are rarer than the action, and no hosts', () => {
  expect(page.faults({ watches: [{ ...watch, pingPeriod: '6h', hosts: [] }] })).toEqual([
    'watches.0.pingPeriod ping-watch:fault.pingPeriodTooLong',
    'watches.0.hosts ping-watch:fault.noHosts',
  ])
})

it.each([
  ['period', '1w'],
  ['period', '0'],
  ['pingPeriod', '5 m'],
  ['hosts', ['a b']],
  ['interface', 'wan; reboot'],
] as const)('refuses %s %s in the form and on the server', (field, value) => {
  const { server, form } = page.bounds({ watches: [{ ...watch, [field]: value }] })
  expect(server[0]).toMatch(`watches.0.${field}`)
  expect(form).toEqual([`watches.0.${field}`])
})

it('asks for the program to run', () => {
  expect(page.bounds({ watches: [{ ...watch, mode: 'run_script' }] }).form).toEqual(['watches.0.script'])
  const escaped = page.bounds({ watches: [{ ...watch, mode: 'run_script', script: '/etc/a.sh; reboot' }] })
  expect(escaped).toEqual({ server: ['watches.0.script'], form: ['watches.0.script'] })
})

it('refuses hosts of another IP version than is pinged: they never answer, and the device restarts for ever', () => {
  const faults = (changed: object) => page.faults({ watches: [{ ...watch, ...changed }] })
  const other = ['watches.0.hosts ping-watch:fault.otherFamily']
  expect(faults({ family: 'ipv6', hosts: ['192.0.2.1'] })).toEqual(other)
  expect(faults({ family: 'ipv4', hosts: ['ntp.example', '2001:db8::1'] })).toEqual(other)
  expect(faults({ family: 'ipv6', hosts: ['ntp.example', '2001:db8::1'] })).toEqual([])
  expect(faults({ family: 'any', hosts: ['192.0.2.1', '2001:db8::1'] })).toEqual([])
  expect(faults({ family: 'ipv6', mode: 'periodic_reboot', hosts: ['192.0.2.1'] })).toEqual([])
})
