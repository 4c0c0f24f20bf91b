/** Contact data: one normalized form of each number and address, so that duplicates are found. */
import { z } from 'zod'
import { field } from './field.ts'
import { storable } from './list.ts'
import { bareNumber, PHONE } from './rules.ts'
import { INVISIBLE, shaped } from './shape.ts'

/** Digits with an optional plus; spaces, dots, dashes and brackets are removed. */
export const phoneNumber = field(
  z.string().trim().max(32).transform(bareNumber).pipe(z.string().regex(PHONE)),
  { rule: 'phone' },
)
export const emailAddress = z.string().trim().max(254).pipe(z.email())
/** Hidden input, never in a draft. The password rules are checked by the handlers. */
export const passwordText = field(z.string().max(128), { input: 'password' })
/**
 * One line of visible text, tabs included; blank is absent. With line breaks, directional overrides or nothing visible, a name looks
 * like another one, or like none, in lists, mails and logs.
 */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(
      shaped(
        new RegExp(
          String.raw`^(?![${INVISIBLE}]+$)(?:\t|[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069])*$`,
          'u',
        ),
        'visibleLine',
      ),
    )
/** One that devices are sent: they take no control characters, so tabs become spaces. */
export const sentLine = (max: number) => line(max).overwrite((text) => text.replaceAll('\t', ' '))
/** Text of several lines that Postgres can store. */
export const paragraph = (max: number) => field(storable(z.string().trim().max(max)), { input: 'area' })
