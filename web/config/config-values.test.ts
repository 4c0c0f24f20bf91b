import { expect, it } from 'vitest'
import { firewall } from '#schema/config/pages/firewall'
import { wireless } from '#schema/config/pages/wireless'
import { formOf } from '#schema/kit/form'
import { faultsOfEdit, onShownRows, toInput, toServer } from './config-values.ts'

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

it('a value that the device runs already does not keep the form from being saved, another such value does', () => {
  const radio = { id: 'radio0', band: '2g', enabled: true, country: 'Germany', channel: '6', power: 20 }
  const running = toInput(fields, { radios: [radio], networks: [] })
  const edited = (change: object) => ({ ...running, radios: [{ ...radio, ...change }] })
  expect(faultsOfEdit(fields, edited({ channel: '11' }), running)).toEqual({})
  expect(Object.keys(faultsOfEdit(fields, edited({ country: 'France' }), running))).toEqual([
    'radios.0.country',
  ])
  expect(Object.keys(faultsOfEdit(fields, edited({ power: 99 }), running))).toEqual(['radios.0.power'])
})

it('edits that go on with other rows than they were made on are at the rows that they say, not at those with their numbers', () => {
  const form = formOf(firewall.body)
  const shown = (edition: string, names: readonly string[]) => ({
    edition,
    values: { rules: names.map((name, i) => ({ id: `@${i}`, name })) },
  })
  const before = shown('none~aaaaaaa', ['Ping', 'Web'])
  const now = shown('none~bbbbbbb', ['SSH', 'Ping', 'Web'])
  const [ping, web] = toInput(form, before.values)['rules'] as object[]
  const mine = { rules: [ping, { ...web, enabled: false }, { ...web, id: '', name: 'New' }] }
  const ids = (values: object) => (values as { rules: { id: string }[] }).rules.map(({ id }) => id)
  expect(ids(onShownRows(form, mine, before, now))).toEqual(['@1', '@2', ''])
  expect(onShownRows(form, mine, before, now)).toMatchObject({ rules: [{}, { enabled: false }, {}] })
  expect(onShownRows(form, mine, before, { ...now, edition: '2026~aaaaaaa' })).toBe(mine)
})
