import { expect, it } from 'vitest'
import { FIRST_VIEW, viewOf, viewText } from './map-view.ts'

it('is restored to a metre; the initial view is not stored', () => {
  expect(viewText({ latitude: 31.234567, longitude: -121.4, zoom: 12 })).toBe('31.23457,-121.4,12')
  expect(viewOf('31.23457,-121.4,12')).toEqual({ latitude: 31.23457, longitude: -121.4, zoom: 12 })
  expect(viewText(FIRST_VIEW)).toBeNull()
})

it.each(['', '1,2', '1,2,3,4', 'a,2,4', '91,0,4', '0,361,4', '0,0,2', '0,0,21', '0,0,4.5', ',,4'])(
  'takes %j for nothing',
  (text) => expect(viewOf(text)).toBeNull(),
)
