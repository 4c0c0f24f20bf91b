/** Evaluates a formula with the newest values of a terminal, step by step, before it is saved. */

import { z } from 'zod'
import { reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { templateObject } from './collection-template.ts'
import { qualities } from './fields.ts'
import { faultReasons } from './formula/tokens.ts'
import { variableListPermission } from './variable-pages.ts'

/** Shared by the trial of a variable and that of a notice. */
export const formulaTrial = {
  asked: {
    formula: storable(z.string().max(2_000)),
    terminalId: rowId.optional().describe('without it the first terminal of the template by name'),
  },
  reply: z.object({
    fault: z
      .object({
        reason: z.enum(faultReasons),
        at: z.number().describe('characters from the beginning'),
        text: z.string(),
      })
      .nullable(),
    terminalId: z.number().nullable().describe('null: the template has none that the caller may see'),
    terminals: z.array(z.object({ id: z.number(), name: z.string() })).describe('the first 50 by name'),
    names: z.array(z.string()).describe('what may be named: the first 500 by name'),
    inputs: z.array(
      z.object({
        name: z.string(),
        value: z.number().nullable(),
        quality: z.enum(qualities).nullable().describe('null: nothing has come yet'),
        at: instant.nullable(),
        stale: z.boolean(),
      }),
    ),
    steps: z
      .array(z.object({ text: z.string(), value: z.number().nullable() }))
      .describe('the inner parts first; the last one is the whole'),
    value: z.number().nullable(),
    quality: z.enum(qualities).nullable(),
  }),
}

export const tryFormula = call({
  path: '/api/variable/tryFormula',
  permission: variableListPermission,
  about: reads(templateObject, 'templateId'),
  summary: 'Computes a formula with the newest values of a terminal, and shows each of its parts.',
  body: z.object({ templateId: rowId, ...formulaTrial.asked }),
  reply: formulaTrial.reply,
})
