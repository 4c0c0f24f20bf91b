import { expect, it } from 'vitest'
import { OTHER_VERSIONS, UNKNOWN_VERSION, versionColours } from './version-colours.ts'

const fleet = Array.from({ length: 12 }, (_, i) => `3.${i}`)

it('a version keeps its colour, whatever else is shown', () => {
  const all = versionColours(fleet, fleet.slice(0, 7))
  expect(new Set(all.values()).size).toBe(9)
  for (const shown of [
    ['3.4', '3.1'],
    ['3.6', '3.11', '3.0'],
    [OTHER_VERSIONS, '3.2', UNKNOWN_VERSION],
  ]) {
    const some = versionColours(fleet, shown)
    for (const version of shown) if (all.has(version)) expect(some.get(version)).toBe(all.get(version))
  }
})

it('rare versions shown together differ, also from frequent ones', () => {
  const shown = ['3.0', '3.8', '3.9', '3.11', 'gone']
  const some = versionColours(fleet, shown)
  expect(new Set(shown.map((version) => some.get(version))).size).toBe(shown.length)
  expect(some.get('3.0')).toBe(versionColours(fleet, fleet).get('3.0'))
})

it('more versions than colours do not hang', () => {
  expect(versionColours(fleet, fleet).size).toBe(14)
})
