import { describe, expect, it } from 'vitest'
import type { FormField } from '../kit/field.ts'
import { formOfPage, pageList, pageNamed } from './page-list.ts'
import {
  isMissing,
  missingNames,
  namesFor,
  namesIn,
  references,
  usualNames,
  withOwnNames,
} from './references.ts'
import { sampleDoc, section } from './sample-doc.ts'
import { noTraits } from './tried-page.ts'

const known = namesIn(sampleDoc)

/** Every field, also in sections and rows, with its path. */
const fieldsIn = (fields: readonly FormField[], prefix: string): [string, FormField][] =>
  fields.flatMap((field) => [
    [`${prefix}${field.name}`, field] as [string, FormField],
    ...fieldsIn(field.fields ?? [], `${prefix}${field.name}.`),
  ])
const all = pageList.flatMap((page) => fieldsIn(formOfPage(page), `${page.name}.`))

describe('the names of a document', () => {
  it('are those of its zones, interfaces, radios and network devices', () => {
    expect(known).toEqual({
      zone: ['lan', 'wan'],
      interface: ['loopback', 'lan', 'wan', 'wan1'],
      radio: ['radio0', 'radio1'],
      device: ['lo', 'br-lan', 'eth0'],
      // The sample has no package of several uplinks.
      uplink: null,
      uplinkMember: null,
      uplinkPolicy: null,
    })
  })
  it('are also those of the VLANs of a bridge', () => {
    const guests = section('bridge-vlan', null, { device: 'br-lan', vlan: '30' })
    expect(namesIn({ network: { name: 'network', sections: [guests] } }).device).toEqual(['br-lan.30'])
  })
  it('are also found as they were written until 21.02', () => {
    const lan = section('interface', 'lan', { type: 'bridge', ifname: 'eth1 eth2', proto: 'static' })
    const alias = section('interface', 'wan6', { device: '@wan', proto: 'dhcpv6' })
    const names = namesIn({ network: { name: 'network', sections: [lan, alias] } })
    expect([names.device, names.interface]).toEqual([
      ['br-lan', 'eth1', 'eth2'],
      ['lan', 'wan6'],
    ])
  })
  it('are not known while their package is not', () => {
    expect(namesIn({}).zone).toBe(null)
    expect(namesIn({}, ['firewall']).zone).toEqual([])
    expect(isMissing('zone', 'dmz', namesIn({}))).toBe(false)
    expect(isMissing('zone', 'dmz', namesIn({}, ['firewall']))).toBe(true)
  })
})

it('a field for any zone takes the asterisk, others do not; empty says nothing', () => {
  expect(namesFor('anyZone', known)).toEqual(['lan', 'wan', '*'])
  expect(['lan', '*', '', 'dmz'].filter((name) => isMissing('anyZone', name, known))).toEqual(['dmz'])
  expect(['lan', '*', '', 'dmz'].filter((name) => isMissing('zone', name, known))).toEqual(['*', 'dmz'])
})

it('a zone that is only being named can be referred to on the same page, and one that is removed cannot', () => {
  const page = pageNamed('firewall')
  if (!page) throw new Error('no such page')
  const fields = formOfPage(page)
  const read = page.read(sampleDoc, noTraits)
  const forwardings = [{ id: '', src: 'guest', dest: 'wan' }]
  const zone = (name: string) => ({ id: '', name, networks: ['wan9'] })
  expect(missingNames(fields, { ...read, forwardings }, known)).toEqual([
    { path: 'forwardings.0.src', refersTo: 'zone', name: 'guest' },
  ])
  const both = { zones: [zone('guest'), zone('wan')], forwardings }
  expect(withOwnNames(fields, both, known).zone).toEqual(['guest', 'wan'])
  expect(missingNames(fields, both, known).map(({ path, refersTo }) => [path, refersTo])).toEqual([
    ['zones.0.networks', 'laterInterface'],
    ['zones.1.networks', 'laterInterface'],
  ])
})

it('fields that are not shown refer to nothing', () => {
  const page = pageNamed('openvpn')
  if (!page) throw new Error('no such page')
  const missing = (enabled: boolean) =>
    missingNames(formOfPage(page), { client: { enabled, zone: 'dmz' } }, known).map(({ path }) => path)
  expect([missing(true), missing(false)]).toEqual([['client.zone'], []])
})

it('what fields propose by themselves, and the interfaces that pages write, are usual names', () => {
  const proposed = all.flatMap(([path, { refersTo, initial }]) =>
    refersTo && typeof initial === 'string' && initial !== '' ? [{ path, refersTo, name: initial }] : [],
  )
  expect(proposed.length).toBeGreaterThan(2)
  expect(proposed.filter(({ refersTo, name }) => isMissing(refersTo, name, usualNames))).toEqual([])
  const written = pageList.flatMap((page) =>
    Object.values(page.places({}, noTraits))
      .filter((place) => place.package === 'network' && /^w?(lan|an\d?)$/.test(place.section))
      .map((place) => place.section),
  )
  expect(new Set(written)).toEqual(new Set(['lan', 'wan', 'wan1', 'wan2']))
  expect(written.filter((name) => isMissing('interface', name, usualNames))).toEqual([])
})

it('every field for a zone, an interface or a radio of the device says so', () => {
  const named = all.filter(([path]) => /\b(zone|src|dest|radio|networks|sshInterface)$/.test(path))
  const plain = named.filter(([, { refersTo, names, input }]) => !refersTo && !names && input !== 'rows')
  // A time zone, and the networks of IP addresses that may come in.
  expect(plain.map(([path]) => path).toSorted()).toEqual(['ntp.zone', 'remote-service.networks'])
  expect(new Set(all.flatMap(([, { refersTo }]) => refersTo ?? []))).toEqual(new Set(Object.keys(references)))
})
