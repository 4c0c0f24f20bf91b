import { describe, expect, it } from 'vitest'
import { timeZones } from '#schema/config/parts/time-zones'
import { ownZone, presentZone, zoneOfDevice, zoneOptions } from './zones.ts'

describe('time zones for choice', () => {
  const listed = zoneOptions().map(({ value }) => value)

  it('include every zone that a router can be set to, by the same name', () =>
    expect(timeZones.filter((zone) => !listed.includes(zone))).toEqual([]))

  it('include each zone once, whatever the browser calls it', () => {
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.filter((zone) => presentZone(zone) !== zone)).toEqual([])
    expect(presentZone('Asia/Calcutta')).toBe('Asia/Kolkata')
    expect(presentZone('Australia/Lord_Howe')).toBe('Australia/Lord_Howe')
  })

  it('propose the zone of a device, which routers call by its present name', () => {
    expect(zoneOfDevice('Asia/Kolkata')).toBe('Asia/Kolkata')
    expect(zoneOfDevice('Mars/Olympus')).toBe(ownZone())
    expect(zoneOfDevice(null)).toBe(ownZone())
  })

  it('begin with the viewer’s own', () => expect(listed[0]).toBe(ownZone()))
})
