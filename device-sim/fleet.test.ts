import { describe, expect, it } from 'vitest'
import { hello, serialNumber } from '#schema/device/hello'
import { featuresOf } from './features.ts'
import { identify, planFleet } from './fleet.ts'
import { cities, models } from './models.ts'

describe('a fleet', () => {
  it('is the same for the same seed, and never overlaps with the fleet of another seed', () => {
    expect(planFleet(10_000, 1)).toEqual(planFleet(10_000, 1))
    const serials = new Set(
      [...planFleet(1000, 1), ...planFleet(1000, 2), ...planFleet(1000, -5)].map(({ sn }) => sn),
    )
    expect(serials.size).toBe(3000)
    expect(planFleet(1, 1)).toEqual([{ sn: 'RT24000001', model: 'R200' }])
  })

  it('has every model, or only those asked for', () => {
    const named = new Set(planFleet(30, 1).map(({ model }) => model))
    expect([...named].sort()).toEqual(models.map(({ name }) => name).sort())
    expect(new Set(planFleet(30, 1, ['P10']).map(({ model }) => model))).toEqual(new Set(['P10']))
    expect(() => planFleet(1, 1, ['X1'])).toThrow('X1 is not a simulated model: R200, R500, G100, P10, S20')
  })

  it('keeps its first devices when it grows', () => {
    expect(planFleet(500, 7).slice(0, 20)).toEqual(planFleet(20, 7))
  })

  it('has identities that the protocol accepts, each with its own numbers', () => {
    const fleet = planFleet(2000, 3).map(({ sn, model }) => identify(sn, model, 3))
    for (const { sn, mac, imei, imsi, iccid, operator, model, firmware } of fleet) {
      expect(serialNumber.safeParse(sn).success).toBe(true)
      const said = { at: 0, bootId: 'x', model: model.name, firmware, mac, imei, imsi, iccid, operator }
      expect(hello.payload.safeParse(said).error?.issues ?? []).toEqual([])
    }
    expect(new Set(fleet.map(({ mac }) => mac)).size).toBe(fleet.length)
    const radios = fleet.filter(({ model }) => model.radio !== null)
    expect(new Set(radios.map(({ imei }) => imei)).size).toBe(radios.length)
    expect(new Set(fleet.map(({ city }) => city.name)).size).toBe(cities.length)
  })
})

it('a device announces only what its model has: no messages without a modem, no relays without outputs', () => {
  const features = (model: string) =>
    featuresOf(['reboot', 'sendSms', 'setRelay'], identify('SN-1', model, 1))
  expect(features('R200')).toContain('sendSms')
  expect(features('P10')).not.toContain('sendSms')
  expect(features('P10')).not.toContain('setRelay')
  expect(features('P10')).toContain('reboot')
  expect(['R200', 'R500', 'G100', 'S20'].some((model) => features(model).includes('setRelay'))).toBe(true)
})
