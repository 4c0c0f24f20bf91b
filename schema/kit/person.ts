/** How people are reached: one form of each number and address, so that the same one is found to be the same. */
import { z } from 'zod'
import { field } from './field.ts'
import { storable } from './list.ts'
import { bareNumber, PHONE } from './rules.ts'

/** Digits with an optional plus; spaces, dots, dashes and brackets are for reading and not kept. */
export const phoneNumber = field(
  z.string().trim().max(32).transform(bareNumber).pipe(z.string().regex(PHONE)),
  { rule: 'phone' },
)
export const emailAddress = z.string().trim().max(254).pipe(z.email())
/** Typed hidden, never drafted. What makes a good one is judged by the handlers. */
export const passwordText = field(z.string().max(128), { input: 'password' })
/** One line of text as Postgres can hold it; blank is absent. */
export const line = (max: number) => storable(z.string().trim().max(max))
/** Text of several lines. */
export const paragraph = (max: number) => field(line(max), { input: 'area' })
