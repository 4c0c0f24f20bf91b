import { describe, expect, it } from 'vitest'
import { guess, isTarGz } from './package-guess.ts'

const models = ['R200', 'R500', 'G100']

describe('guessing the package from a file name', () => {
  it.each([
    ['R200-1.5.0.tar.gz', { name: 'R200', version: '1.5.0', model: 'R200' }],
    ['r500_firmware_v2.2.0-rc1.TAR.GZ', { name: 'r500 firmware', version: '2.2.0-rc1', model: 'R500' }],
    ['openvpn-fix-G100-3.2.1+4.tar.gz', { name: 'openvpn-fix-G100', version: '3.2.1+4', model: 'G100' }],
    ['firmware.tar.gz', { name: 'firmware', version: '', model: '' }],
    ['X900-1.0.tar.gz', { name: 'X900', version: '1.0', model: '' }],
    ['1.0.3.tar.gz', { name: '', version: '1.0.3', model: '' }],
  ])('%s', (fileName, expected) => {
    expect(guess(fileName, models)).toEqual(expected)
  })

  it.each([
    ['a.tar.gz', true],
    ['a.TAR.GZ', true],
    ['a.tgz', false],
    ['a.tar.gz.exe', false],
    ['tar.gz', false],
  ])('%s is a .tar.gz: %s', (fileName, expected) => {
    expect(isTarGz(fileName)).toBe(expected)
  })
})
