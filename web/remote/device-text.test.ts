import { expect, it } from 'vitest'
import { deviceText } from './device-text.ts'

it('a device has its name and its serial number, once if they are the same', () => {
  expect(deviceText({ deviceName: 'Office', deviceSn: 'SN-1' })).toBe('Office (SN-1)')
  expect(deviceText({ deviceName: 'SN-1', deviceSn: 'SN-1' })).toBe('SN-1')
  expect(deviceText({ deviceName: '', deviceSn: 'SN-1' })).toBe('SN-1')
})
