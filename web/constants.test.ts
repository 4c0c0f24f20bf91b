/** [§9] Constants of the specification that the console uses. */
import { expect, it } from 'vitest'
import { getDeviceList } from '#schema/device/device'
import { MAP_CENTRE, MAP_REFRESH_S, MAP_ZOOM } from '#schema/device/device-map'
import { logPriorities } from '#schema/device/log'
import { getGroupList } from '#schema/group/group'
import { HTTP_TIMEOUT_MS } from './kit/api.ts'
import { CHUNK_TIMEOUT_MS } from './kit/chunk.ts'
import { REFRESH_CHOICES, SEARCH_PAUSE_MS } from './kit/list/list-state.ts'
import { copyrightYears } from './kit/page/copyright.ts'

it('a request ends after 30 s', () => {
  expect(HTTP_TIMEOUT_MS).toBe(30_000)
})

it('a part of the console is late after 120 s', () => {
  expect(CHUNK_TIMEOUT_MS).toBe(120_000)
})

it('a search waits 500 ms', () => {
  expect(SEARCH_PAUSE_MS).toBe(500)
})

it('a page has offset 1 and limit 10', () => {
  expect(getDeviceList.body.parse({})).toMatchObject({ offset: 1, limit: 10 })
})

it('the device list refreshes never, or every 5, 10, 20 or 60 s', () => {
  expect(REFRESH_CHOICES).toEqual([0, 5, 10, 20, 60])
})

it('the map begins at 105, 34 and zoom 4, of 3 to 20, and refreshes every 60 s', () => {
  expect([MAP_CENTRE.longitude, MAP_CENTRE.latitude]).toEqual([105, 34])
  expect(MAP_ZOOM).toEqual({ least: 3, first: 4, most: 20 })
  expect(MAP_REFRESH_S).toBe(60)
})

it('lists take 99999 rows at once', () => {
  expect(getGroupList.body.parse({ limit: 99_999 })).toMatchObject({ limit: 99_999 })
})

it('log priorities are seven, from info to emergency', () => {
  expect(logPriorities).toEqual(['info', 'notice', 'warning', 'error', 'fatal', 'alert', 'emergency'])
})

it('copyright begins with 2019', () => {
  expect(copyrightYears(new Date('2026-06-01T00:00:00Z'))).toBe('2019-2026')
})
