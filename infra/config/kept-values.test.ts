import { describe, expect, it } from 'vitest'
import { pageNamed } from '#schema/config/page-list'
import { sampleDoc } from '#schema/config/sample-doc'
import { changedLines } from '#schema/config/tried-page'
import { drafted } from './drafted-config.ts'
import { keptPages } from './kept-values.ts'
import { type Target, wantedConfig } from './wanted-config.ts'

/** As it was kept while a forward had a list of senders. */
const camera = (sources: readonly string[]) => ({
  name: 'Camera',
  src: 'wan',
  address: '',
  port: '8000',
  protocols: ['tcp'],
  sources,
  dest: 'lan',
  destIp: '192.168.8.20',
  destPort: '',
})
const target: Target = {
  deviceId: 1,
  groupId: 1,
  level: 1,
  doc: sampleDoc,
  traits: { abilities: new Set(['fw4']), model: null },
  own: {},
}
const pagesOf = (sources: readonly string[]) => ({ 'port-forward': { forwards: [camera(sources)] } })
const made = (sources: readonly string[]) =>
  wantedConfig({ by: 'values', pages: pagesOf(sources) }, target, null, 'en-US')

describe('a port forward that was kept with its senders as a list', () => {
  it('forwards from the only one', () => {
    const { after, fault } = made(['203.0.113.5'])
    expect(fault).toBe(null)
    expect(changedLines(sampleDoc, after, 'firewall')).toContain("+ option src_ip '203.0.113.5'")
  })
  it('is refused if there are several, rather than that it forwards from everywhere', () => {
    expect(made(['203.0.113.5', '203.0.113.6']).fault).toContain('Allowed source')
  })
  it('stays open to all if there was none', () => {
    const { after, fault } = made([])
    expect(fault).toBe(null)
    expect(changedLines(sampleDoc, after, 'firewall').filter((line) => line.includes('src_ip'))).toEqual([])
  })
  it('says the same as a draft', () => {
    const changes = keptPages(pagesOf(['203.0.113.5']))['port-forward'] ?? {}
    const { after, faults } = drafted(target, [{ page: 'port-forward', changes }], 'en-US')
    expect(faults).toEqual([])
    expect(pageNamed('port-forward')?.read(after, target.traits)).toMatchObject({
      forwards: expect.arrayContaining([expect.objectContaining({ name: 'Camera', source: '203.0.113.5' })]),
    })
  })
})

it('what has no former name stays as it is', () => {
  const pages = { 'port-forward': { forwards: [{ source: '10.0.0.1' }] }, ntp: { hostname: 'shop' } }
  expect(keptPages(pages)).toEqual(pages)
})
