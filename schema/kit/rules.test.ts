import { expect, it } from 'vitest'
import { isTimeZone } from './rules.ts'

it.each(['Asia/Shanghai', 'America/Argentina/Ushuaia', 'Etc/GMT-8', 'UTC', 'Japan', 'asia/kolkata'])(
  'the time zone %s is accepted',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  },
)

it.each(['+08', '+0800', '-05:30', 'IST', 'CST', 'PST', 'ACT', 'CET', 'Mars/Base', ''])(
  'what is not the name of a time zone, "%s", is refused',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  },
)
