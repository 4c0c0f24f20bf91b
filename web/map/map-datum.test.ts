import { expect, it } from 'vitest'
import { fromMap, toMap } from './map-datum.ts'

it('shifts Tiananmen as published examples do, and nothing abroad or on WGS-84 tiles', () => {
  const beijing = { longitude: 116.3912, latitude: 39.9073 }
  const drawn = toMap(beijing, 'gcj02')
  expect(drawn.longitude).toBeCloseTo(116.39744, 4)
  expect(drawn.latitude).toBeCloseTo(39.9087, 4)
  expect(toMap(beijing, 'wgs84')).toEqual(beijing)
  const paris = { longitude: 2.35, latitude: 48.85 }
  expect(toMap(paris, 'gcj02')).toEqual(paris)
})

it('converts back to the original position', () => {
  for (const place of [
    { longitude: 121.4737, latitude: 31.2304 },
    { longitude: 87.6, latitude: 43.8 },
  ]) {
    const back = fromMap(toMap(place, 'gcj02'), 'gcj02')
    expect(back.longitude).toBeCloseTo(place.longitude, 8)
    expect(back.latitude).toBeCloseTo(place.latitude, 8)
  }
})
