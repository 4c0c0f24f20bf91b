import { expect, it } from 'vitest'
import { wireless } from '#schema/config/pages/wireless'
import { formOf } from '#schema/kit/form'
import { toInput } from './config-values.ts'

const fields = formOf(wireless.body)

it('gives a row that was kept before its page had a field the default of this field', () => {
  const kept = { radios: [{ id: 'radio0', band: '2g', power: null }], networks: [{ id: '', ssid: 'Shop' }] }
  expect(toInput(fields, kept)).toMatchObject({
    radios: [{ id: 'radio0', band: '2g', enabled: true, power: '' }],
    networks: [{ ssid: 'Shop', security: 'psk2', macFilter: 'disable', macs: [], networks: [] }],
  })
})
