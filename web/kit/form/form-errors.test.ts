import { beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { formOf } from '#schema/kit/form'
import { startI18n } from '../i18n.ts'
import { faultsOf } from './form-errors.ts'

let errorsOf: typeof import('./error-texts.ts')['errorsOf']

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  // It loads its texts, which needs the language.
  ;({ errorsOf } = await import('./error-texts.ts'))
})

const declared = formOf(
  z.object({
    name: z.string().min(1).max(5),
    type: z.enum(['normal', 'customerAdmin']),
    roleId: z.coerce.number().int().positive(),
    email: z.email().optional(),
    recipients: z.array(z.email()).min(1),
    customerId: z.coerce.number().int().optional(),
    value: z.coerce.number().int().optional(),
  }),
)
const good = { name: 'Ann', type: 'normal', roleId: '3', recipients: ['ann@example.com'] }

it('reports a missing choice as missing, not as a wrong format', () => {
  const required = { reason: 'required' }
  expect(faultsOf(declared, [], { name: '', type: null, roleId: '', email: '', recipients: [] })).toEqual({
    name: required,
    type: required,
    roleId: required,
    recipients: { reason: 'empty' },
  })
})

it('reports what is wrong with the input, with the name of the field and its bound', () => {
  const faults = faultsOf(declared, [], {
    ...good,
    name: 'too long',
    type: 'root',
    email: 'nobody',
    recipients: ['x'],
  })
  expect(errorsOf(faults, (path) => path.toUpperCase())).toEqual({
    name: 'NAME must have at most 5 characters',
    type: 'TYPE must be one of the choices',
    email: 'EMAIL must look like name@example.com',
    recipients: 'RECIPIENTS must look like name@example.com',
  })
})

it('applies bounds and required fields that only the page declares', () => {
  const value = [{ name: 'value', min: 1, max: 720 }]
  expect(faultsOf(declared, value, { ...good, value: 721 })).toEqual({ value: { reason: 'greater', n: 720 } })
  expect(faultsOf(declared, value, { ...good, value: 0 })).toEqual({ value: { reason: 'less', n: 1 } })
  for (const given of [1, 720, '']) expect(faultsOf(declared, value, { ...good, value: given })).toEqual({})
  const choice = [{ name: 'customerId', required: true }]
  for (const customerId of ['', null, undefined])
    expect(faultsOf(declared, choice, { ...good, customerId })).toEqual({
      customerId: { reason: 'required' },
    })
  expect(faultsOf(declared, choice, { ...good, customerId: '1' })).toEqual({})
})
