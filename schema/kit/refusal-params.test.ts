import { expect, it } from 'vitest'
import { peopleRefusals } from '../people/people-refusals.ts'
import { refuse } from './refusal.ts'

it('does not compile without the parameters of its text', () => {
  // @ts-expect-error: nothing is filled in
  expect(() => refuse(peopleRefusals.customerTaken)).toThrow()
  // @ts-expect-error: `name` is misspelled
  expect(() => refuse(peopleRefusals.customerTaken, { nam: 'Acme' })).toThrow()
  // @ts-expect-error: its text has no places
  expect(() => refuse(peopleRefusals.roleRequired, { name: 'Acme' })).toThrow()
  expect(() => refuse(peopleRefusals.customerTaken, { name: 'Acme' })).toThrow()
  expect(() => refuse(peopleRefusals.roleRequired, {}, 'roleId')).toThrow()
})
