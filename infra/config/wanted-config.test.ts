/** Values that were kept before their page had a field, for a device that has this field set otherwise. */
import { describe, expect, it } from 'vitest'
import { sampleDoc, section } from '#schema/config/sample-doc'
import { changedLines } from '#schema/config/tried-page'
import type { UciDoc } from '#schema/config/uci'
import { drafted } from './drafted-config.ts'
import { nameWarnings, togetherFaults } from './together-faults.ts'
import { type Target, wantedConfig } from './wanted-config.ts'

const camera = (options: Readonly<Record<string, string>>) =>
  section('redirect', null, {
    name: 'Camera',
    src: 'wan',
    src_dport: '8000',
    dest: 'lan',
    dest_ip: '192.168.8.20',
    proto: 'tcp',
    target: 'DNAT',
    ...options,
  })
const forwarding = section('forwarding', null, { src: 'lan', dest: 'wan' })
const isRedirect = ({ type }: { type: string }) => type === 'redirect'
const sections = (sampleDoc['firewall']?.sections ?? []).filter((one) => !isRedirect(one))
const doc: UciDoc = {
  ...sampleDoc,
  firewall: { name: 'firewall', sections: [...sections, camera({ enabled: '0', reflection: '0' })] },
}
const target = (of: UciDoc): Target => ({
  deviceId: 1,
  groupId: 1,
  level: 99,
  doc: of,
  traits: { abilities: new Set(['openvpn', 'wifi']), model: 'R200' },
  own: {},
})
/** As they were kept: without `enabled` and `reflection`. */
const kept = {
  id: '+0',
  name: 'Camera',
  src: 'wan',
  address: '',
  port: '8000',
  protocols: ['tcp'],
  sources: [],
  dest: 'lan',
  destIp: '192.168.8.20',
  destPort: '',
}
const wanted = (pages: Record<string, Record<string, unknown>>, of = doc) =>
  wantedConfig({ by: 'values', pages }, target(of), null, 'en-US')
const lines = (pages: Record<string, Record<string, unknown>>, of = doc) => {
  const { after, fault } = wanted(pages, of)
  expect(fault).toBe(null)
  return changedLines(of, after, 'firewall')
}

describe('a row of a template that lacks a field', () => {
  it('leaves the option of the row that the device has', () => {
    expect(lines({ 'port-forward': { forwards: [kept] } })).toEqual([])
    expect(lines({ 'port-forward': { forwards: [{ ...kept, destIp: '192.168.8.21' }] } })).toEqual([
      "- option dest_ip '192.168.8.20'",
      "+ option dest_ip '192.168.8.21'",
    ])
  })
  it('is the same row without a name, too', () => {
    const { name: _, ...unnamed } = kept
    const plain = camera({ enabled: '0' })
    const options = plain.options.filter((option) => option.name !== 'name')
    const nameless = {
      ...doc,
      firewall: { name: 'firewall', sections: [...sections, { ...plain, options }] },
    }
    expect(lines({ 'port-forward': { forwards: [unnamed] } }, nameless)).toEqual([])
  })
  it('of a new row takes the default', () => {
    const without = { ...doc, firewall: { name: 'firewall', sections } }
    const made = wanted({ 'port-forward': { forwards: [{ ...kept, port: '8001' }] } }, without)
    expect(made.pages[0]?.values).toMatchObject({ forwards: [{ port: '8001' }] })
    const added = changedLines(without, made.after, 'firewall')
    expect(added).toContain("+ option src_dport '8001'")
    expect(added.filter((line) => /enabled|reflection/.test(line))).toEqual([])
  })
})

it('a row of a draft that lacks a field leaves it as it is on the device', () => {
  const edits = [{ page: 'port-forward', changes: { forwards: [{ ...kept, id: '@0', port: '8002' }] } }]
  const { after, pages, faults } = drafted(target(doc), edits, 'en-US')
  expect(faults).toEqual([])
  expect(pages[0]?.values).toMatchObject({ forwards: [{ port: '8002', enabled: false, reflection: false }] })
  expect(changedLines(doc, after, 'firewall')).toEqual([
    "- option src_dport '8000'",
    "+ option src_dport '8002'",
  ])
})

it('a row of a draft finds its section also behind what another page adds to the same package', () => {
  const guest = { id: '', name: 'guest', networks: ['guest'] }
  const edits = [
    { page: 'firewall', changes: { zones: [{ id: '@0' }, { id: '@1' }, guest] } },
    { page: 'port-forward', changes: { forwards: [{ ...kept, id: '@0', port: '8002' }] } },
  ]
  const { after, faults } = drafted(target(doc), edits, 'en-US')
  expect(faults).toEqual([])
  const before = doc['firewall']?.sections ?? []
  const [added, ...others] = (after['firewall']?.sections ?? []).filter((one) => !before.includes(one))
  expect(added?.type).toBe('zone')
  expect(others).toEqual([camera({ src_dport: '8002', enabled: '0', reflection: '0' })])
})

it('a section that lacks a field leaves it, too', () => {
  const { after } = wanted(
    { openvpn: { client: { enabled: true, remotes: ['vpn.example 1195'] } } },
    sampleDoc,
  )
  expect(changedLines(sampleDoc, after, 'openvpn')).toEqual([
    "- option remote 'vpn.example 1194'",
    "+ list remote 'vpn.example 1195'",
  ])
})

describe('names that nothing has', () => {
  const zones = [
    { id: '', name: 'lan', networks: ['lan'], input: 'ACCEPT' },
    { id: '', name: 'wan', networks: ['wan', 'wan1', 'wan6'], output: 'ACCEPT' },
  ]
  const warnings = (before: UciDoc, after: UciDoc) =>
    nameWarnings(target(before), after, 'en-US').map(({ page, path, message }) => [page, path, message])

  it('are refused where the device would skip what refers to them', () => {
    const { fault } = wanted({ 'port-forward': { forwards: [{ ...kept, src: 'dmz' }] } })
    expect(fault).toBe('There is no zone named dmz')
  })
  it('are a warning where they may come later, once', () => {
    const { after, fault } = wanted({ firewall: { zones, rules: [], forwardings: [] } })
    expect(fault).toBe(null)
    expect(warnings(doc, after)).toEqual([
      ['firewall', 'zones.1.networks', 'There is no interface named wan6'],
    ])
    expect(warnings(after, after)).toEqual([])
  })
  it('are refused on pages that were not edited, too', () => {
    const lost = { ...doc, firewall: { name: 'firewall', sections: [camera({}), forwarding] } }
    const faults = togetherFaults(target(doc), lost, [], 'en-US')
    expect(warnings(doc, lost)).toEqual([])
    expect(faults.map(({ page, path }) => `${page} ${path}`)).toEqual([
      'firewall forwardings.0.src',
      'firewall forwardings.0.dest',
      'port-forward forwards.0.src',
      'port-forward forwards.0.dest',
    ])
  })
})
