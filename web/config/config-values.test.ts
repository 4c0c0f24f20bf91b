import { expect, it } from 'vitest'
import { wireless } from '#schema/config/pages/wireless'
import { formOf } from '#schema/kit/form'
import { toInput, toServer } from './config-values.ts'

const fields = formOf(wireless.body)
const kept = { radios: [{ id: 'radio0', band: '2g', power: null }], networks: [{ id: '', ssid: 'Shop' }] }

it('gives a row that was kept before its page had a field the default of this field', () => {
  expect(toInput(fields, kept)).toMatchObject({
    radios: [{ id: 'radio0', band: '2g', enabled: true, power: '' }],
    networks: [{ ssid: 'Shop', security: 'psk2', macFilter: 'disable', macs: [], networks: [] }],
  })
})

it('keeps out of a row of a template what it does not say, and sends only what it says', () => {
  const shown = toInput(fields, kept, true)
  expect(shown).toMatchObject({ radios: [{ id: 'radio0', band: '2g', power: '' }] })
  expect(toServer(fields, shown)).toMatchObject(kept)
  expect(toServer(fields, { ...shown, country: 'DE' })['radios']).toEqual(kept.radios)
  expect(toServer(fields, shown)['networks']).toEqual(kept.networks)
})
