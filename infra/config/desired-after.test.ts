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

  describe('sections without a name', () => {
    const at = (...rules: string[]) => docOf(lines(10, 1500), rules.join(''))
    const accept = (name: string) => rule(name, 'ACCEPT')
    const [ssh, ping, web, dns] = ['ssh', 'ping', 'web', 'dns'].map(accept) as [
      string,
      string,
      string,
      string,
    ]
    const rules = (doc: UciDoc) =>
      doc['firewall']?.sections.map(({ options }) => options.map(({ value }) => value).join(' '))
    const set = (desired: UciDoc, doc: UciDoc, after: UciDoc) =>
      rules(desiredAfter({ desired, doc, after, ignored: none }))

    it('are told apart by what they say, whichever it adds and removes', () => {
      const desired = at(ssh, ping, web)
      const doc = at(ssh, ping, rule('web', 'DROP'))
      const left = [
        at(ssh, rule('ping', 'DROP'), rule('web', 'DROP')),
        at(ping, rule('web', 'DROP')),
        at(dns, ssh, ping, rule('web', 'DROP')),
      ].map((after) => set(desired, doc, after))
      expect(left).toEqual([
        ['ssh ACCEPT', 'ping DROP', 'web ACCEPT'],
        ['ping ACCEPT', 'web ACCEPT'],
        ['dns ACCEPT', 'ssh ACCEPT', 'ping ACCEPT', 'web ACCEPT'],
      ])
    })

    it('one that somebody has removed on the device stays set at its place, and the others as they are', () => {
      const desired = at(ssh, ping, web, dns)
      const doc = at(ssh, web, dns)
      expect(set(desired, doc, at(rule('ssh', 'DROP'), web, dns))).toEqual([
        'ssh DROP',
        'ping ACCEPT',
        'web ACCEPT',
        'dns ACCEPT',
      ])
      expect(set(desired, doc, at(ssh, web, rule('ping', 'DROP'), dns))).toEqual([
        'ssh ACCEPT',
        'web ACCEPT',
        'ping DROP',
        'dns ACCEPT',
      ])
    })

    it('one that somebody has added on the device is not set, and none takes its place', () => {
      const doc = at(dns, ssh, web)
      expect(set(at(ssh, web), doc, at(dns, ssh, rule('web', 'DROP')))).toEqual(['ssh ACCEPT', 'web DROP'])
      expect(set(at(ssh, web), doc, at(dns, ping, ssh, web))).toEqual([
        'ping ACCEPT',
        'ssh ACCEPT',
        'web ACCEPT',
      ])
    })

    it('in another order on the device they keep that which was set, with what was changed', () => {
      const doc = at(ping, ssh, web)
      expect(set(at(ssh, ping, web), doc, at(ping, ssh, rule('web', 'DROP')))).toEqual([
        'ssh ACCEPT',
        'ping ACCEPT',
        'web DROP',
      ])
    })
  })
})
