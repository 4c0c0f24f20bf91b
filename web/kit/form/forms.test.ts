import { expect, it } from 'vitest'
import { updateUser } from '#schema/people/profile'
import { addLevelUp } from '#schema/task/upgrade'
import { shownOfCall } from './form-model.ts'
import { boundsOf, declaredField, declaredForm } from './forms.ts'

it('gives hand-made inputs their bounds from the declaration', () => {
  expect(boundsOf(addLevelUp, 'maxFailurePercent')).toEqual({ min: 1, max: 100 })
  expect(boundsOf(updateUser, 'nickname')).toEqual({ maxLength: 64 })
  expect(declaredField(updateUser, 'user_tel')).toMatchObject({ rule: 'phone', required: false })
  expect(declaredField(updateUser, 'user_qq')).toMatchObject({ pattern: ['^\\d{5,12}$', ''], trims: true })
})

it('shows a unit that depends on the row, and none that the label already has', () => {
  const units = (unit?: string) =>
    shownOfCall([{ name: 'maxFailurePercent', ...(unit ? { unit } : {}) }], declaredForm(addLevelUp)).map(
      (field) => field.unit,
    )
  expect([units(), units('h')]).toEqual([[undefined], ['h']])
})

it('refuses what is not declared', () => {
  expect(() => declaredField(updateUser, 'shoe')).toThrow('has no field shoe')
  expect(declaredForm(updateUser).word).toBe('profile')
})
