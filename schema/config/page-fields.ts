/** Fields that several pages ask for. An empty text means that the option is not set. */
import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import type { RuleName } from '../kit/rules.ts'
import { rules } from '../kit/rules.ts'
import { shaped } from '../kit/shape.ts'
import { ROW_ID } from './bind-rows.ts'

/** A text that this rule accepts. */
export const ruled = (rule: RuleName, max: number) =>
  field(
    z
      .string()
      .trim()
      .max(max)
      .refine((text) => rules[rule](text), because({ reason: 'format', shape: rule })),
    { rule },
  )

/** The same, or nothing. */
export const ruledOrNone = (rule: RuleName, max: number) =>
  z.union([z.literal(''), ruled(rule, max)]).default('')

/** A text that this rule accepts as it is typed: blanks at its ends belong to it (names and keys of radio networks). */
export const exact = (rule: RuleName, max: number) =>
  field(
    z
      .string()
      .max(max)
      .refine((text) => rules[rule](text), because({ reason: 'format', shape: rule })),
    { rule },
  )
export const exactOrNone = (rule: RuleName, max: number) =>
  z.union([z.literal(''), exact(rule, max)]).default('')

/** The name of an interface, a zone or a tunnel device. */
export const plainName = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(shaped(/^[A-Za-z0-9_.-]*$/, 'plainName'))

/** The name of a section of UCI. */
export const sectionName = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(shaped(/^[A-Za-z0-9_]*$/, 'sectionName'))

/** A certificate or key; '' keeps the one that the device has (page-file.ts). */
export const pem = (rule: RuleName) => field(ruledOrNone(rule, 16_384), { input: 'area' })

/** The whole text of an option: no line break, which no page needs and some programs do not survive. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(shaped(/^[^\p{Cc}]*$/u, 'singleLine'))
export const lineOrNone = (max: number) => line(max).default('')

/** Two whole numbers in one option, such as the interval and the limit of a keepalive. */
export const numberPair = z
  .string()
  .trim()
  .max(11)
  .regex(shaped(/^(\d{1,5} \d{1,5})?$/, 'numberPair'))
  .default('')

/** Read by programs that take an option for several when it has a blank [openwrt.md §3 SIM]. */
export const word = (max: number) =>
  z
    .string()
    .max(max)
    .regex(shaped(/^[^\s\p{Cc}]*$/u, 'noBlanks'))

export const port = z.int().min(1).max(65_535)
export const macText = z
  .string()
  .trim()
  .regex(shaped(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$/, 'macAddress'))
export const macOrNone = z.union([z.literal(''), macText]).default('')

/** The hidden id of a row, see bind-rows.ts. */
export const rowKey = { [ROW_ID]: field(z.string().max(64).default(''), { input: 'hidden' }) }

/** A password or key of the device: masked when read, never in a draft of the browser, a diff or a log. */
export const secretText = <S extends z.ZodType>(schema: S): S =>
  field(schema, { secret: true, input: 'password' })
