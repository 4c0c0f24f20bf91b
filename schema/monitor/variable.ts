/** [§3 Variable, §5 Variable] Of a collection template: each terminal with this template has all of its variables. */

import { z } from 'zod'
import { deletes, edits, makes, object, reads, uses } from '../kit/about.ts'
import { bodyLimits, call, keyLimits } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { INVISIBLE, shaped } from '../kit/shape.ts'
import { templateObject } from './collection-template.ts'
import {
  ADDRESS_MAX,
  accesses,
  byteOrders,
  dataTypes,
  functionTypes,
  interfaceControllers,
  ioControllers,
  registerTypes,
  reportTypes,
  VARIABLES_MAX,
} from './fields.ts'
import { FORMULA_MAX } from './formula/tokens.ts'
import { templateEditPermission, variableListPermission } from './variable-pages.ts'
import { sizedTypes, type VariableFields, variableFaults } from './variable-rules.ts'

export const variableObject = object('variable')

/** [§5] "Unit length limited". */
export const UNIT_MAX = 16
/** [§5 Variable] byte order is required: that of the template is a choice, too. */
export const AS_TEMPLATE = 'template'

/** Formulas name a variable as `{name}`, and a list shows it in one line, whatever the direction of its text. */
const variableName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(
    shaped(
      new RegExp(
        String.raw`^(?![${INVISIBLE}]+$)[^{}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$`,
        'u',
      ),
      'variableName',
    ),
  )
const number = () => z.coerce.number()
const int = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const ofModbus = { when: { ioController: ['modbus'] }, needed: true } as const
/** The gateway's own interfaces have a type by their kind, and so have formulas. */
const typed = ['modbus', 'source'] as const

/** Empty inputs are absent; converted to a number they would be 0. */
const blanks = [
  'address',
  'bit',
  'length',
  'powerAddress',
  'factor',
  'addend',
  'precision',
  'min',
  'max',
  'cycleS',
  'deadband',
  'minIntervalMs',
  'interfaceNumber',
  'registerType',
  'dataType',
  'byteOrder',
  'formula',
  'noValue',
]
/** The same of each of many variables. */
export const blanksOfMany = blanks.map((name) => `variables.${name}`)
export const variableFields = {
  name: variableName,
  unit: line(UNIT_MAX).min(1).describe('`-` if it has no unit'),
  functionType: z.enum(functionTypes).default('gauge'),
  access: z.enum(accesses).default('read'),
  ioController: z.enum(ioControllers).default('modbus'),
  interfaceNumber: field(int(1, 64).optional(), {
    when: { ioController: interfaceControllers },
    needed: true,
  }).describe('of an interface of the gateway itself'),
  formula: field(z.string().trim().max(FORMULA_MAX).optional(), {
    when: { ioController: ['formula'] },
    needed: true,
  }).describe('over other variables of the template, `{by name}`; its result is scaled like a raw value'),
  registerType: field(z.enum(registerTypes).optional(), ofModbus),
  address: field(int(0, ADDRESS_MAX).optional(), ofModbus).describe('as on the wire, from 0'),
  dataType: field(z.enum(dataTypes).optional(), { when: { ioController: typed }, needed: true }),
  byteOrder: field(z.enum([AS_TEMPLATE, ...byteOrders]).optional(), ofModbus),
  bit: field(int(0, 15).optional(), {
    when: { ioController: typed, dataType: ['bit', 'bits'] },
    needed: true,
  }).describe('the first one; 0 is the least significant'),
  length: field(int(1, 125).optional(), {
    when: { ioController: typed, dataType: sizedTypes },
    needed: true,
  }).describe('bits of `bits`, registers of `text` and `mod10k`'),
  noValue: field(
    z
      .string()
      .trim()
      .regex(shaped(/^([0-9a-fA-F]{4}){0,4}$/, 'registerBytes'))
      .optional(),
    { when: { ioController: ['modbus'] } },
  ).describe('raw bytes that mean "no value", in the order ABCD'),
  powerAddress: field(int(0, ADDRESS_MAX).optional(), {
    when: { ioController: ['modbus'], registerType: ['input', 'holding'] },
  }).describe(
    'SunSpec: the register whose power of ten the value is multiplied by, read in the same request',
  ),
  factor: field(
    number()
      .refine((value) => value !== 0, because({ reason: 'zero' }))
      .default(1),
    { nonzero: true },
  ).describe('value = raw × factor + addend'),
  addend: number().default(0),
  precision: int(0, 10).default(0).describe('decimal places'),
  min: number().optional().describe('below it the value has the quality outOfRange'),
  max: number().optional().describe('above it the value has the quality outOfRange'),
  reportType: z.enum(reportTypes),
  cycleS: int(1, 86_400).default(60),
  deadband: number().min(0).default(0).describe('in the unit of the variable'),
  minIntervalMs: int(0, 86_400_000).default(0),
}

/** With the rules between the fields. */
const judged = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).superRefine((values, ctx) => {
    for (const [name, fault] of Object.entries(variableFaults(values as unknown as VariableFields)))
      ctx.addIssue({ code: 'custom', path: [name], ...because(fault) })
  })

export const variableRow = z.object({
  id: z.number(),
  templateId: z.number(),
  slot: z.number(),
  name: z.string(),
  unit: z.string(),
  functionType: z.enum(functionTypes),
  access: z.enum(accesses),
  ioController: z.enum(ioControllers),
  interfaceNumber: z.number().nullable(),
  formula: z.string().nullable(),
  registerType: z.enum(registerTypes).nullable(),
  address: z.number().nullable(),
  dataType: z.enum(dataTypes),
  byteOrder: z.enum([AS_TEMPLATE, ...byteOrders]),
  bit: z.number().nullable(),
  length: z.number().nullable(),
  noValue: z.string().nullable(),
  powerAddress: z.number().nullable(),
  factor: z.number(),
  addend: z.number(),
  precision: z.number(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  reportType: z.enum(reportTypes),
  cycleS: z.number(),
  deadband: z.number(),
  minIntervalMs: z.number(),
  hidden: z.boolean().describe('true: it is not collected'),
  edition,
})

export const getTemplateVariables = listCall({
  path: '/api/variable/getTemplateVariables',
  permission: variableListPermission,
  about: reads(templateObject, 'templateId'),
  summary: 'The variables of a collection template.',
  sorts: ['slot', 'name', 'address', 'dataType', 'reportType', 'cycleS'],
  searches: ['name', 'unit'],
  filters: { templateId: rowId },
  row: variableRow,
})

export const addVariable = call({
  path: '/api/variable/addVariable',
  permission: templateEditPermission,
  writes: true,
  about: makes(variableObject, { by: 'id', named: 'name', of: { object: templateObject, by: 'templateId' } }),
  summary: 'Adds a variable to a template; every gateway with such terminals gets a new plan.',
  body: judged({ templateId: field(rowId, { input: 'hidden' }), ...variableFields }),
  blanks,
  reply: z.object({ id: z.number() }),
})

export const modifyVariable = call({
  path: '/api/variable/modifyVariable',
  permission: templateEditPermission,
  writes: true,
  about: edits(variableObject, 'id'),
  summary: 'Changes a variable; samples that were taken before keep the value that they had.',
  body: judged({ id: rowId, ...variableFields, edition: openedEdition }),
  blanks,
})

/** Of a file or a paste: as many as a template can have. */
export const manyVariables = z.array(judged(variableFields)).max(VARIABLES_MAX)

export const saveVariables = call({
  path: '/api/variable/saveVariables',
  permission: templateEditPermission,
  writes: true,
  about: uses(templateObject, 'templateId'),
  summary:
    'Adds variables to a template, all or none; those whose name the template has already are changed. Others stay.',
  body: z.object({ templateId: rowId, variables: manyVariables.min(1) }),
  blanks: blanksOfMany,
  reply: z.object({ added: z.number(), changed: z.number() }),
  bodyLimit: bodyLimits.text,
  keyLimit: keyLimits.rows,
})

export const hideVariable = call({
  path: '/api/variable/hideVariable',
  permission: templateEditPermission,
  writes: true,
  about: edits(variableObject, 'id', 'visibility'),
  summary: 'Stops the collection of a variable, or resumes it. Its samples stay.',
  body: z.object({ id: rowId, hidden: z.boolean() }),
})

export const deleteVariable = call({
  path: '/api/variable/deleteVariable',
  permission: templateEditPermission,
  writes: true,
  about: deletes(variableObject, 'id'),
  summary: 'Deletes a variable; refused while it is collected.',
  body: z.object({ id: rowId }),
})
