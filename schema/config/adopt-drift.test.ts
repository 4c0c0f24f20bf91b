import { describe, expect, it } from 'vitest'
import { withDrift } from './adopt-drift.ts'
import { driftOf } from './drift.ts'
import { parseUci, type UciDoc } from './uci.ts'
import { withImported } from './uci-merge.ts'

const rule = (name: string, target = 'ACCEPT') =>
  `config rule\n\toption name '${name}'\n\toption src 'wan'\n\toption target '${target}'\n`
const doc = (...rules: string[]): UciDoc => ({ firewall: parseUci('firewall', rules.join('')) })
const rules = (of: UciDoc) =>
  of['firewall']?.sections.map(({ options }) => options.flatMap(({ value }) => value).join(' '))
const all = () => true
const [ssh, ping, web, dns] = ['ssh', 'ping', 'web', 'dns'].map((name) => rule(name)) as [
  string,
  string,
  string,
  string,
]

/** What was set, what runs. */
const cases: readonly [what: string, set: UciDoc, running: UciDoc][] = [
  ['has lost a rule', doc(ssh, ping, web, dns), doc(ssh, web, dns)],
  ['has one more', doc(ssh, ping, web), doc(dns, ssh, ping, web)],
  ['has them in another order', doc(ssh, ping, web), doc(web, ssh, ping)],
  ['has another rule instead of one', doc(ssh, ping, web), doc(ssh, dns, web)],
  ['has one changed behind a lost one', doc(ssh, ping, web), doc(ping, rule('web', 'DROP'))],
  ['has none', doc(ssh, ping), {}],
]

describe('of sections without a name', () => {
  it.each(cases)('all differences are overwritten where the device %s', (_what, set, running) => {
    expect(rules(withDrift({ set, running }, 'running', all))).toEqual(rules(set))
  })

  it.each(cases)('all differences are adopted where the device %s', (_what, set, running) => {
    const adopted = withDrift({ set, running }, 'set', all)
    expect(rules(adopted)).toEqual(rules(running) ?? [])
    expect(driftOf(adopted, running, new Set())).toEqual([])
  })

  it.each(cases)('without a choice nothing changes where the device %s', (_what, set, running) => {
    expect(withDrift({ set, running }, 'set', () => false)).toEqual(set)
    expect(withDrift({ set, running }, 'running', () => false)).toEqual(running)
  })

  it('only the chosen one is overwritten, by its number in what was set', () => {
    const set = doc(ssh, ping, web)
    const running = doc(ping, rule('web', 'DROP'))
    const chosen = (...keys: string[]) =>
      rules(withDrift({ set, running }, 'running', (key) => keys.includes(key)))
    expect(driftOf(set, running, new Set()).map(({ key }) => key)).toContain('firewall.@rule[2].target')
    expect(chosen('firewall.@rule[2].target')).toEqual(['ping wan ACCEPT', 'web wan ACCEPT'])
    expect(chosen('firewall.@rule[0]')).toEqual(['ssh wan ACCEPT', 'ping wan ACCEPT', 'web wan DROP'])
  })

  it('merging an import adds and changes them, and loses none that are there', () => {
    const into = doc(ssh, ping)
    expect(rules(withImported(into, doc(dns), true))).toEqual([
      'ssh wan ACCEPT',
      'ping wan ACCEPT',
      'dns wan ACCEPT',
    ])
    expect(rules(withImported(into, doc(rule('ping', 'DROP')), true))).toEqual([
      'ssh wan ACCEPT',
      'ping wan DROP',
    ])
  })
})
