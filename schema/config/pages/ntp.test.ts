import { expect, it } from 'vitest'
import { posixOf, timeZones } from '../parts/time-zones.ts'
import { deviceDoc } from '../sample-doc.ts'
import { noTraits, triedPage } from '../tried-page.ts'
import { parseUci } from '../uci.ts'
import { ntp } from './ntp.ts'

const page = triedPage(ntp, deviceDoc)

it('reads name, zone and servers', () => {
  expect(page.values).toEqual({
    hostname: 'shop-17',
    zone: 'Europe/Berlin',
    enabled: true,
    fromDhcp: true,
    servers: ['0.pool.ntp.example', '192.168.8.9'],
    serve: false,
  })
})

it('writes the rules of a zone with its name', () => {
  expect(page.lines({ zone: 'Asia/Shanghai' }, 'system')).toEqual([
    "- option timezone 'CET-1CEST,M3.5.0,M10.5.0/3'",
    "- option zonename 'Europe/Berlin'",
    "+ option timezone 'CST-8'",
    "+ option zonename 'Asia/Shanghai'",
  ])
})

it('finds a zone with the same rules where only these are set, or a name with a blank', () => {
  const zoneOf = (options: string) =>
    triedPage(ntp, { system: parseUci('system', `config system\n${options}`) }).values.zone
  expect(posixOf(zoneOf("option timezone 'CST-8'"))).toBe('CST-8')
  expect(zoneOf("option zonename 'America/New York'")).toBe('America/New_York')
  expect(zoneOf("option timezone 'UTC'")).toBe('UTC')
})

it('refuses a host name that is none, and a clock that nothing sets', () => {
  expect(page.bounds({ hostname: 'my shop' })).toEqual({ server: ['hostname'], form: ['hostname'] })
  expect(page.bounds({ servers: ['a b'] })).toEqual({ server: ['servers.0'], form: ['servers'] })
  expect(page.bounds({ zone: 'Mars/Base' })).toEqual({ server: ['zone'], form: ['zone'] })
  expect(page.faults({ servers: [], fromDhcp: false })).toEqual(['servers ntp:fault.noServers'])
})

/** Minutes east of UTC, as this runtime's own zone data say. */
function offsetOf(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).formatToParts(at)
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(text) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0
}

it('gives every zone the offset of its rules, in winter and in summer', () => {
  const minutes = (text: string) => {
    const [, sign = '', hours, rest = '0'] = /^([+-]?)(\d+)(?::(\d+))?$/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest))
  }
  const NAME = '(?:<[^>]+>|[A-Za-z]+)'
  const wrong = timeZones.filter((zone) => {
    const rule = new RegExp(`^${NAME}([+-]?[\\d:]+)(?:${NAME}([+-]?[\\d:]+)?)?(,|$)`).exec(
      posixOf(zone) ?? '',
    )
    if (!rule) return true
    const standard = -minutes(rule[1] ?? '')
    const summer = rule[3] === ',' ? (rule[2] === undefined ? standard + 60 : -minutes(rule[2])) : standard
    const seen = [new Date('2026-01-15T12:00Z'), new Date('2026-07-15T12:00Z')].map((at) =>
      offsetOf(zone, at),
    )
    return seen.toSorted().join() !== [standard, summer].toSorted().join()
  })
  expect(wrong).toEqual([])
})

it('fields are in the section that the device has, as its uci calls it: a refusal names it so', () => {
  const inSystem = (text: string) => ntp.places({ system: parseUci('system', text) }, noTraits)['hostname']
  expect(inSystem("config system\n\toption hostname 'a'\n")?.section).toBe('@system[0]')
  expect(inSystem("config system 'main'\n\toption hostname 'a'\n")?.section).toBe('main')
  expect(inSystem('')?.section).toBe('@system')
})
