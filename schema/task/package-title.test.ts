import { describe, expect, it } from 'vitest'
import { packageTitle, versionedName } from './package-title.ts'

describe('the title of a package', () => {
  it.each([
    ['R200 firmware', '1.5.0', 'R200 firmware 1.5.0'],
    ['R200 1.5.0', '1.5.0', 'R200 1.5.0'],
    ['fw-v1.5.0', '1.5.0', 'fw-v1.5.0'],
    ['1.5.0', '1.5.0', '1.5.0'],
    ['R200 1.5(2) [x', '1.5(2)', 'R200 1.5(2) [x'],
    ['R200_1.5.0+build7', '1.5.0+build7', 'R200_1.5.0+build7'],
    ['R200 1.5.0-RC1', '1.5.0-rc1', 'R200 1.5.0-RC1'],
  ])('%s of version %s is %s: the version is said once', (name, version, title) => {
    expect(packageTitle(name, version)).toBe(title)
  })

  it.each([
    ['R200 1.5.0-rc1', '1.5.0'],
    ['R200 1.5.0.1', '1.5.0'],
    ['R200 11.5.0', '1.5.0'],
    ['R200 2.1.5.0', '1.5.0'],
    ['R200 1x5x0', '1.5.0'],
  ])('%s does not say version %s', (name, version) => {
    expect(packageTitle(name, version)).toBe(`${name} ${version}`)
  })

  it('of a file without a version is its name', () => {
    expect([packageTitle('site.tar.gz', null), packageTitle('site.tar.gz', '')]).toEqual([
      'site.tar.gz',
      'site.tar.gz',
    ])
  })
})

it('the name of a task has the version in brackets unless it says it', () => {
  expect(versionedName('Night run', '1.5.0')).toBe('Night run (1.5.0)')
  expect(versionedName('R200 1.5.0', '1.5.0')).toBe('R200 1.5.0')
  expect(versionedName('Reboot', null)).toBe('Reboot')
})
