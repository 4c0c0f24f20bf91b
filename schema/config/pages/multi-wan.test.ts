import { describe, expect, it } from 'vitest'
import { deviceDoc, section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { multiWan } from './multi-wan.ts'

const mwan3 = {
  name: 'mwan3',
  sections: [
    section('globals', 'globals', { mmx_mask: '0x3F00' }),
    section('interface', 'wan', { enabled: '1', track_ip: ['1.1.1.1', '8.8.8.8'], size: '56' }),
    section('interface', 'wanb', { enabled: '0', track_ip: '1.1.1.1' }),
    section('member', 'wan_m1', { interface: 'wan', metric: '1', weight: '3' }),
    section('policy', 'wan_only', { use_member: ['wan_m1'] }),
    section('rule', 'https', {
      proto: 'tcp',
      dest_port: '443,8000:8010',
      use_policy: 'wan_only',
      sticky: '1',
    }),
    section('rule', 'rest', { dest_ip: '0.0.0.0/0', use_policy: 'wan_only', family: 'ipv4' }),
  ],
}
const page = triedPage(multiWan, { ...deviceDoc, mwan3 })
const { uplinks, members, policies, rules } = page.values
const [wan, wanb] = uplinks
const [member] = members
const [policy] = policies
const [https, rest] = rules
if (!wan || !wanb || !member || !policy || !https || !rest) throw new Error('the sample has one of each')
const lines = (changed: Parameters<typeof page.lines>[0]) => page.lines(changed, 'mwan3')

it('reads uplinks, members, policies and rules by the names of their sections', () => {
  expect(wan).toMatchObject({
    name: 'wan',
    enabled: true,
    trackIps: ['1.1.1.1', '8.8.8.8'],
    timeoutS: 4,
    down: 5,
  })
  expect([member, policy]).toMatchObject([
    { name: 'wan_m1', uplink: 'wan', weight: 3 },
    { name: 'wan_only', members: ['wan_m1'], lastResort: 'unreachable' },
  ])
  expect(rules).toMatchObject([
    { name: 'https', protocol: 'tcp', destPort: ['443', '8000-8010'], sticky: true, family: 'any' },
    { name: 'rest', protocol: 'all', destIp: '0.0.0.0/0', family: 'ipv4' },
  ])
})

it('adds sections with the names that their rows have, and keeps what no field knows', () => {
  const added = { ...wan, id: '', name: 'wan1', enabled: true, trackIps: ['9.9.9.9'] }
  expect(lines({ uplinks: [{ ...wan, intervalS: 5 }, wanb, added] })).toEqual([
    "+ option interval '5'",
    "+ config interface 'wan1'",
    "+ option enabled '1'",
    "+ list track_ip '9.9.9.9'",
  ])
})

it('renames a section in its place', () => {
  expect(lines({ rules: [{ ...https, name: 'web' }, rest] })).toEqual([
    "- config rule 'https'",
    "+ config rule 'web'",
  ])
})

it('writes ports as iptables takes them', () => {
  expect(lines({ rules: [{ ...https, destPort: ['80', '9000-9010'] }, rest] })).toEqual([
    "- option dest_port '443,8000:8010'",
    "+ option dest_port '80,9000:9010'",
  ])
})

describe('refuses', () => {
  it('a member, an uplink and a policy that do not exist', () => {
    expect(
      page.faults({
        members: [member, { ...member, id: '', name: 'm2', uplink: 'wan7' }],
        policies: [{ ...policy, members: ['wan_m1', 'm3'] }],
        rules: [https, { ...rest, policy: 'nobody' }],
      }),
    ).toEqual([
      'members.1.uplink config:missing.uplink',
      'policies.0.members config:missing.uplinkMember',
      'rules.1.policy config:missing.uplinkPolicy',
    ])
    expect(page.faults({ rules: [https, { ...rest, policy: 'unreachable' }] })).toEqual([])
  })

  it('the name of an uplink with which its chain of iptables would be too long', () => {
    const named = (name: string) => page.bounds({ uplinks: [{ ...wan, name }] })
    expect(named('abcdefghijklm')).toEqual({ server: [], form: [] })
    expect(named('abcdefghijklmn')).toEqual({ server: ['uplinks.0.name'], form: ['uplinks.0.name'] })
  })

  it('a name that another section of the package has, whatever its type', () => {
    expect(page.faults({ rules: [https, { ...rest, name: 'wan_m1' }] })).toEqual([
      'rules.1.name multi-wan:fault.nameTaken',
    ])
    expect(page.faults({ rules: [https, { ...rest, name: 'globals' }] })).toEqual([
      'rules.1.name multi-wan:fault.nameTaken',
    ])
  })

  it('two uplinks whose default routes have one metric', () => {
    const network = {
      name: 'network',
      sections: [
        section('interface', 'wan', { metric: '10' }),
        section('interface', 'wanb', { metric: '10' }),
      ],
    }
    const same = triedPage(multiWan, { ...deviceDoc, mwan3, network })
    expect(same.faults({})).toEqual([])
    expect(same.faults({ uplinks: [wan, { ...wanb, enabled: true }] })).toEqual([
      'uplinks.1.name multi-wan:fault.sameMetric',
    ])
  })

  it('what iptables refuses, and with it all rules', () => {
    const asked = (changed: Partial<typeof https>) => page.faults({ rules: [{ ...https, ...changed }, rest] })
    expect(asked({ srcIp: '!192.168.8.0/24' })).toEqual(['rules.0.srcIp multi-wan:fault.negated'])
    expect(asked({ destIp: '! 10.0.0.1' })).toEqual(['rules.0.destIp multi-wan:fault.negated'])
    const ranges = Array.from({ length: 8 }, (_, i) => `${8000 + 10 * i}-${8005 + 10 * i}`)
    expect(asked({ destPort: ranges.slice(1).concat('80') })).toEqual([])
    expect(asked({ destPort: ranges })).toEqual(['rules.0.destPort multi-wan:fault.tooManyPorts'])
  })

  it('more answers than there are ping targets', () => {
    expect(page.faults({ uplinks: [{ ...wan, reliability: 3 }, wanb] })).toEqual([
      'uplinks.0.reliability multi-wan:fault.reliability',
    ])
  })
})
