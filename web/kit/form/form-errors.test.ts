import { expect, it, vi } from 'vitest'
import { z } from 'zod'

vi.mock('../i18n.ts', () => ({ t: (key: string) => key }))
const { declaredErrors, fieldErrors } = await import('./form-errors.ts')

const body = z.object({
  name: z.string().min(1).max(5),
  type: z.enum(['normal', 'customerAdmin']),
  roleId: z.number().int().positive(),
  email: z.email().optional(),
  recipients: z.array(z.email()).min(1),
})

it('calls a choice that was not made missing, not of a wrong format', () => {
  expect(fieldErrors(body, { name: '', type: null, roleId: '', email: '', recipients: [] })).toEqual({
    name: 'kit:form.required',
    type: 'kit:form.required',
    roleId: 'kit:form.required',
    recipients: 'kit:form.required',
  })
})

it('says what is wrong with what was entered', () => {
  expect(
    fieldErrors(body, { name: 'too long', type: 'root', roleId: 1, email: 'nobody', recipients: ['x'] }),
  ).toEqual({
    name: 'kit:form.tooLong',
    type: 'kit:form.format',
    email: 'kit:form.format',
    recipients: 'kit:form.format',
  })
})

it('knows the bounds and the duties that only the field declares', () => {
  const fields = [{ name: 'value', kind: 'number', min: 1, max: 720 }]
  expect(declaredErrors(fields, { value: 721 })).toEqual({ value: 'kit:form.tooBig' })
  expect(declaredErrors(fields, { value: 0 })).toEqual({ value: 'kit:form.tooSmall' })
  for (const value of [1, 720, '']) expect(declaredErrors(fields, { value })).toEqual({})
  const choice = [{ name: 'customerId', required: true }]
  for (const customerId of ['', null, undefined, []])
    expect(declaredErrors(choice, { customerId })).toEqual({ customerId: 'kit:form.required' })
  expect(declaredErrors(choice, { customerId: '1' })).toEqual({})
})
