import { expect, it } from 'vitest'
import type { UciDoc } from '#schema/config/uci'
import type { Base } from './base.ts'
import { factoryPackage, managedPackages } from './config/factory.ts'
import { identify } from './fleet.ts'
import { models } from './models.ts'
import { Radio } from './radio.ts'

const model = models.find(({ radio, hardwareType }) => radio && hardwareType === 'router')
if (!model) throw new Error('no model has two SIMs')
const identity = identify('SN-1', model.name, 1)
const site = { identity, seed: 1, configured: true }

/** As configured, or with another access point of the second SIM. */
const docWith = (apn: string | null): UciDoc =>
  Object.fromEntries(
    managedPackages(site).flatMap((name) => {
      const one = factoryPackage(site, name)
      if (!one) return []
      const sections = one.sections.map((section) =>
        name === 'network' && section.name === 'wan2' && apn !== null
          ? {
              ...section,
              options: section.options.map((option) =>
                option.name === 'apn' ? { ...option, value: apn } : option,
              ),
            }
          : section,
      )
      return [[name, { ...one, sections }]]
    }),
  )

/** A device whose dice say that it is time to switch. */
function radioWith(doc: UciDoc) {
  let active = 1
  const part = {
    sn: identity.sn,
    identity,
    config: { doc },
    dice: { roll: () => 0 },
    world: { mishaps: true, speed: 1, seed: 1, log: { error: () => undefined } },
    settings: {
      get: () => active,
      put: async (_: string, slot: number) => {
        active = slot
      },
    },
    now: () => 0,
    note: () => undefined,
    reconfigured: () => undefined,
    report: async () => undefined,
  }
  return { radio: new Radio(part as unknown as Base), active: () => active }
}

it('switches to the other SIM by chance, but to none whose uplink does not work', async () => {
  const works = radioWith(docWith(null))
  works.radio.misbehaveAtRandom(30_000)
  await Promise.resolve()
  expect(works.active()).toBe(2)
  const broken = radioWith(docWith('bad.apn'))
  broken.radio.misbehaveAtRandom(30_000)
  await Promise.resolve()
  expect(broken.active()).toBe(1)
})
