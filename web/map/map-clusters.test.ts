import { expect, it } from 'vitest'
import { deviceStates } from '#schema/device/device-state'
import { load, marks, members, opensAt, within } from './map-clusters.ts'

const world = { west: -180, south: -85, east: 180, north: 85 }
const place = (state: (typeof deviceStates)[number]) => deviceStates.indexOf(state)

load(
  {
    ids: Int32Array.from([1, 2, 3, 4]),
    longitudes: Float64Array.from([10, 10, 10.001, -100]),
    latitudes: Float64Array.from([50, 50, 50, 40]),
    states: Uint8Array.from([place('online'), place('offline'), place('upgrading'), place('revoked')]),
    alarms: Uint8Array.from([0, 3, 1, 0]),
  },
  'wgs84',
  deviceStates,
)

it('a cluster knows the states of its devices, its worst alarm, and how many have one', () => {
  const [cluster, single] = marks(world, 4).sort((a, b) => b.count - a.count)
  expect(cluster).toMatchObject({
    count: 3,
    states: { online: 1, offline: 1, upgrading: 1, revoked: 0 },
    alarm: 1,
    alarmed: 2,
  })
  expect(single).toMatchObject({ id: 4, count: 1, states: { revoked: 1 }, alarm: 0, alarmed: 0 })
})

it('splits where its devices are apart, and never where they share a position', () => {
  const [cluster] = marks(world, 4).filter(({ count }) => count === 3)
  const zoom = opensAt(cluster?.id ?? 0) ?? 0
  expect(zoom).toBeGreaterThan(10)
  const [together] = marks(world, 19).filter(({ count }) => count === 2)
  expect(opensAt(together?.id ?? 0)).toBeNull()
  expect(members(together?.id ?? 0, 10).sort()).toEqual([1, 2])
  const { devices, total } = within(world, 4, 10)
  expect(total).toBe(4)
  expect(devices.toSorted((a, b) => a.id - b.id).map(({ state, alarm }) => [state, alarm])).toEqual([
    ['online', 0],
    ['offline', 3],
    ['upgrading', 1],
    ['revoked', 0],
  ])
  expect(within(world, 4, 2).devices).toHaveLength(2)
})
