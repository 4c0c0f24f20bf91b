import { describe, expect, it } from 'vitest'
import { driftOf } from '#schema/config/drift'
import { parseUci, type UciDoc } from '#schema/config/uci'
import { desiredAfter } from './desired-after.ts'

const docOf = (network: string, firewall = ''): UciDoc => ({
  network: parseUci('network', network),
  firewall: parseUci('firewall', firewall),
})
const lines = (metric: number, mtu: number, more = '') =>
  `config interface 'wan'\n\toption metric '${metric}'\n\toption mtu '${mtu}'\n${more}`
const rule = (name: string, target: string) =>
  `config rule\n\toption name '${name}'\n\toption target '${target}'\n`
const none = new Set<string>()

/** The differences that are left when the device runs `after`. */
function left(
  { desired, doc, after }: Record<'desired' | 'doc' | 'after', UciDoc>,
  ignored: ReadonlySet<string> = none,
): string[] {
  return driftOf(desiredAfter({ desired, doc, after, ignored }), after, none).map(({ key }) => key)
}

describe('after a change that the device has kept', () => {
  const desired = docOf(lines(10, 1500))

  it('differences that it does not touch stay, and those that it overwrites end', () => {
    const doc = docOf(lines(55, 1400))
    expect(left({ desired, doc, after: docOf(lines(10, 1400)) })).toEqual(['network.wan.mtu'])
    expect(left({ desired, doc, after: docOf(lines(77, 1400)) })).toEqual(['network.wan.mtu'])
    expect(left({ desired, doc, after: docOf(lines(10, 1500)) })).toEqual([])
  })

  it('what it set is desired, also beside a difference', () => {
    const after = docOf(lines(77, 1400))
    const set = desiredAfter({ desired, doc: docOf(lines(10, 1400)), after, ignored: none })
    expect(set['network']).toEqual(docOf(lines(77, 1500))['network'])
  })

  it('a section that the device added stays a difference, until an edit changes it', () => {
    const guest = (mtu: number) => `config interface 'guest'\n\toption mtu '${mtu}'\n`
    const doc = docOf(lines(10, 1500, guest(1400)))
    const added = ['network.guest', 'network.guest.mtu']
    expect(left({ desired, doc, after: docOf(lines(77, 1500, guest(1400))) })).toEqual(added)
    expect(left({ desired, doc, after: docOf(lines(10, 1500, guest(1300))) })).toEqual([])
  })

  it('ignored differences end with it, and without a desired configuration its result is desired', () => {
    const doc = docOf(lines(55, 1400))
    const after = docOf(lines(55, 1300))
    expect(left({ desired, doc, after }, new Set(['network.wan.metric']))).toEqual([])
    expect(desiredAfter({ desired: null, doc, after, ignored: none })).toBe(after)
  })

  it('a package in which it renumbers sections without a name is taken as a whole', () => {
    const wan = lines(10, 1500)
    const at = (...rules: string[]) => docOf(wan, rules.join(''))
    const [ssh, ping, web] = [rule('ssh', 'ACCEPT'), rule('ping', 'ACCEPT'), rule('web', 'ACCEPT')]
    const set = at(ssh, ping, web)
    const doc = at(ssh, ping, rule('web', 'DROP'))
    expect(left({ desired: set, doc, after: at(ssh, rule('ping', 'DROP'), rule('web', 'DROP')) })).toEqual([
      'firewall.@rule[2].target',
    ])
    expect(left({ desired: set, doc, after: at(ping, rule('web', 'DROP')) })).toEqual([])
  })
})
