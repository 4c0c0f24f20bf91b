import { expect, it } from 'vitest'
import { differencesOf, mergedSettings, type Settings } from './template-sides.ts'

const ntp = (fields: string[], values: object) => ({ fields, values: { zone: '', servers: [], ...values } })
const base: Settings = {
  name: 'Shops',
  remark: null,
  everywhere: false,
  groupIds: [1],
  devices: [
    { id: 4, sn: 'D4' },
    { id: 2, sn: 'D2' },
  ],
  place: 100,
  chosen: { time: ntp(['zone', 'servers'], { zone: 'UTC', servers: ['a'] }) },
}
const theirs: Settings = {
  ...base,
  place: 200,
  devices: [
    { id: 2, sn: 'D2' },
    { id: 4, sn: 'D4' },
  ],
  chosen: { time: ntp(['zone', 'servers'], { zone: 'Europe/Berlin', servers: ['a'] }) },
}
const mine: Settings = {
  ...base,
  name: 'All shops',
  chosen: {
    time: ntp(['zone'], { zone: 'Asia/Tokyo' }),
    lan: { fields: ['address'], values: { address: '10.0.0.1', mask: '' } },
  },
}

it('merges field by field: what only one changed, whoever it was, and of both mine', () => {
  expect(mergedSettings(base, theirs, mine)).toEqual({
    name: 'All shops',
    remark: '',
    everywhere: false,
    groupIds: [1],
    devices: theirs.devices,
    place: 200,
    chosen: {
      time: { fields: ['zone'], values: { zone: 'Asia/Tokyo', servers: ['a'] } },
      lan: { fields: ['address'], values: { address: '10.0.0.1', mask: '' } },
    },
  })
})

it('keeps a field that they have added, and leaves out one that they have removed', () => {
  const without = { ...base, chosen: { time: ntp(['zone'], { zone: 'UTC' }) } }
  const added = { ...base, chosen: { ...base.chosen, lan: { fields: ['mask'], values: { mask: '24' } } } }
  expect(mergedSettings(base, without, { ...base, name: 'N' }).chosen).toEqual({
    time: { fields: ['zone'], values: { zone: 'UTC', servers: [] } },
  })
  expect(mergedSettings(base, added, { ...base, name: 'N' }).chosen).toEqual({
    time: base.chosen['time'],
    lan: { fields: ['mask'], values: { mask: '24' } },
  })
})

it('names what they changed, and of it what both changed', () => {
  const value = (zone: string) => ({ page: 'time', field: 'zone', value: zone })
  expect(differencesOf(base, theirs, mine)).toEqual([
    { setting: 'place', isMine: false },
    {
      page: 'time',
      field: 'zone',
      theirs: value('Europe/Berlin'),
      mine: value('Asia/Tokyo'),
      isMine: true,
    },
  ])
  expect(differencesOf(base, { ...base, remark: '' }, mine)).toEqual([])
})
