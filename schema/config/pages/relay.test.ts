import { expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { relay } from './relay.ts'

const page = triedPage(relay, deviceDoc)
const [pump, light] = page.values.switches
if (!pump || !light) throw new Error('the sample has two switches')

it('reads the switches of the system package, by number or name of the pin', () => {
  expect(page.values.switches).toEqual([
    { id: 'pump', name: 'Pump', gpioPin: '17', on: true },
    { id: '@1', name: 'Light', gpioPin: 'relay-2', on: false },
  ])
})

it('adds a switch behind the others, and leaves the rest of the package alone', () => {
  const added = { id: '', name: 'Fan', gpioPin: '18', on: true }
  const { sections } = page.write({ switches: [pump, light, added] })['system'] ?? { sections: [] }
  expect(sections.map(({ type }) => type)).toEqual([
    'system',
    'timeserver',
    'gpio_switch',
    'gpio_switch',
    'gpio_switch',
    'led',
  ])
  expect(sections[4]).toEqual({
    type: 'gpio_switch',
    name: null,
    options: [
      { name: 'name', value: 'Fan' },
      { name: 'gpio_pin', value: '18' },
      { name: 'value', value: '1' },
    ],
  })
})

it('refuses a path as a pin, and a switch without a name', () => {
  const paths = ['switches.0.gpioPin']
  expect(page.bounds({ switches: [{ ...pump, gpioPin: '../power' }] })).toEqual({
    server: paths,
    form: paths,
  })
  expect(page.bounds({ switches: [{ ...pump, name: '' }] }).form).toEqual(['switches.0.name'])
})

it('refuses two switches of one name or on one pin', () => {
  expect(page.faults({ switches: [pump, { ...light, name: 'Pump', gpioPin: '17' }] })).toEqual([
    'switches.1.name relay:fault.nameTaken',
    'switches.1.gpioPin relay:fault.pinTaken',
  ])
})
