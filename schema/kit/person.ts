/** Contact data: one normalized form of each number and address, so that duplicates are found. */
import { z } from 'zod'
import { field } from './field.ts'
import { storable } from './list.ts'
import { bareNumber, PHONE } from './rules.ts'

/** Digits with an optional plus; spaces, dots, dashes and brackets are removed. */
export const phoneNumber = field(
  z.string().trim().max(32).transform(bareNumber).pipe(z.string().regex(PHONE)),
  { rule: 'phone' },
)
export const emailAddress = z.string().trim().max(254).pipe(z.email())
/** Hidden input, never in a draft. The password rules are checked by the handlers. */
export const passwordText = field(z.string().max(128), { input: 'password' })
/** One line of text that Postgres can store; blank is absent. */
export const line = (max: number) => storable(z.string().trim().max(max))
/** Text of several lines. */
export const paragraph = (max: number) => field(line(max), { input: 'area' })
