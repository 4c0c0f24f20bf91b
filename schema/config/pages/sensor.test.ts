import { expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { sensor } from './sensor.ts'

const page = triedPage(sensor, deviceDoc)
const [cold] = page.values.sensors
if (!cold) throw new Error('the sample has a sensor')

it('reads thresholds with a fraction', () => {
  expect(cold).toMatchObject({ name: 'Cold store', kind: 'temperature', high: -17.5, low: null, reportS: 60 })
})

it('writes and removes a threshold', () => {
  expect(page.lines({ sensors: [{ ...cold, low: -30.25, high: null }] }, 'sensors')).toEqual([
    "- option high '-17.5'",
    "+ option low '-30.25'",
  ])
})

it.each([
  ['slaveId', 256],
  ['slaveId', -1],
  ['register', 65_536],
  ['reportS', 4],
  ['port', 'a b'],
])('[§5] refuses %s %s in the form and on the server', (field, value) => {
  const paths = [`sensors.0.${field}`]
  const wrong = { ...cold, bus: 'modbus' as const, [field]: value }
  expect(page.bounds({ sensors: [wrong] })).toEqual({ server: paths, form: paths })
})

it('refuses thresholds the wrong way round, and a name twice', () => {
  expect(
    page.faults({
      sensors: [
        { ...cold, low: -17.5 },
        { ...cold, id: '' },
      ],
    }),
  ).toEqual(['sensors.1.name sensor:fault.nameTaken', 'sensors.0.high sensor:fault.thresholds'])
})
