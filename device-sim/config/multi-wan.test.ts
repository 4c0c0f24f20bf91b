import { describe, expect, it } from 'vitest'
import type { UciDoc } from '#schema/config/uci'
import { identify } from '../fleet.ts'
import { models } from '../models.ts'
import { abilitiesOf } from './abilities.ts'
import { factoryPackage, managedPackages } from './factory.ts'
import { multiWanProblem } from './multi-wan.ts'
import { uplinkIn } from './uplink.ts'

const model = models.find((one) => abilitiesOf(one).includes('mwan3'))
if (!model) throw new Error('no model has mwan3')
const identity = identify('SN-1', model.name, 1)
const site = { identity, seed: 1, configured: true }
const doc: UciDoc = Object.fromEntries(
  managedPackages(site).flatMap((name) => {
    const one = factoryPackage(site, name)
    return one ? [[name, one]] : []
  }),
)

/** With options of one section replaced. */
const withOptions = (name: string, options: Record<string, string | string[]>): UciDoc => ({
  ...doc,
  mwan3: {
    name: 'mwan3',
    sections: (doc['mwan3']?.sections ?? []).map((one) =>
      one.name === name
        ? {
            ...one,
            options: [
              ...one.options.filter((option) => !(option.name in options)),
              ...Object.entries(options).map(([option, value]) => ({ name: option, value })),
            ],
          }
        : one,
    ),
  },
})

describe('a device with several uplinks', () => {
  it('reaches the platform over each of them as it leaves the factory', () => {
    expect(['wan', 'wan1', 'wan2'].map((uplink) => multiWanProblem(doc, uplink))).toEqual([null, null, null])
  })

  it('does not over one whose ping targets are silent, or that is switched off', () => {
    const silent = withOptions('wan1', { track_ip: ['192.0.2.1', '198.51.100.1'] })
    expect(multiWanProblem(silent, 'wan1')).toBe('mwan3: no member of wan_first is up')
    expect(multiWanProblem(silent, 'wan')).toBe(null)
    expect(multiWanProblem(withOptions('wan', { enabled: '0' }), 'wan')).not.toBe(null)
    expect(uplinkIn(silent, identity, 1).problem).toBe('mwan3: no member of wan_first is up')
  })

  it('does not where its rule makes everything unreachable', () => {
    expect(multiWanProblem(withOptions('default_rule', { use_policy: 'unreachable' }), 'wan')).toBe(
      'mwan3: default_rule makes everything unreachable',
    )
  })

  it('does where the last resort is the default route, or the rule is about other traffic', () => {
    const none = withOptions('wan_first', { use_member: [], last_resort: 'default' })
    expect(multiWanProblem(none, 'wan')).toBe(null)
    expect(
      multiWanProblem(withOptions('default_rule', { proto: 'udp', use_policy: 'blackhole' }), 'wan'),
    ).toBe(null)
  })
})
