/** [§3 Alarm notice] Rules about variables: the condition, the terminals, and who is notified. */

import { z } from 'zod'
import { severities } from '../alarm/alarm-kind.ts'
import { changeableRule, noticeReply, pushModes, ruleName, ruleNotice } from '../alarm/alarm-rule.ts'
import { ownerId } from '../alarm/owner-id.ts'
import { deletes, edits, makes, object, reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { refusal } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { reportTypes } from './fields.ts'
import { FORMULA_MAX } from './formula/tokens.ts'
import { formulaTrial } from './formula-trial.ts'
import { operators } from './notice/variable-condition.ts'

/** Stored with the other rules; its fields and calls are its own. */
export const variableNoticeObject = object('variableNotice')

export const variableNoticesPermission = permission({
  id: 21800,
  name: 'variableNotices',
  role: 'viewer',
  under: 'variable-notices',
})
export const variableNoticeEditPermission = permission({
  id: 21801,
  name: 'variableNoticeEdit',
  role: 'customerAdmin',
  under: 'variable-notices',
})

export const variableNoticeRefusals = {
  limitMissing: refusal(740, 'variable-notice:refusal.limitMissing'),
  limitsBackwards: refusal(741, 'variable-notice:refusal.limitsBackwards'),
  silenceTooShort: refusal(742, 'variable-notice:refusal.silenceTooShort'),
  hysteresisTooWide: refusal(743, 'variable-notice:refusal.hysteresisTooWide'),
  terminalOfOther: refusal(744, 'variable-notice:refusal.terminalOfOther'),
  notANumber: refusal(745, 'variable-notice:refusal.notANumber'),
  changeNotPositive: refusal(746, 'variable-notice:refusal.changeNotPositive'),
  noBits: refusal(747, 'variable-notice:refusal.noBits'),
  bitBeyond: refusal(748, 'variable-notice:refusal.bitBeyond'),
  noticeFormulaMissing: refusal(520, 'variable-notice:refusal.noticeFormulaMissing'),
  noticeFormulaUnknownName: refusal(521, 'variable-notice:refusal.noticeFormulaUnknownName'),
  noticeFormulaUnreadable: refusal(522, 'variable-notice:refusal.noticeFormulaUnreadable'),
  noticeFormulaNoInputs: refusal(523, 'variable-notice:refusal.noticeFormulaNoInputs'),
  noticeFormulaNeeds: refusal(524, 'variable-notice:refusal.noticeFormulaNeeds'),
  /** Of a change of the variable. */
  noticeTooRare: refusal(526, 'variable-notice:refusal.noticeTooRare'),
  noticeNotANumber: refusal(527, 'variable-notice:refusal.noticeNotANumber'),
  noticeBit: refusal(528, 'variable-notice:refusal.noticeBit'),
}

/** all: every terminal with the variable's template. */
export const terminalScopes = ['all', 'groups', 'terminals'] as const

const number = z.coerce.number().min(-1e300).max(1e300)
const condition = labelled(
  {
    variableId: rowId,
    terminalScope: z.enum(terminalScopes),
    groupIds: z.array(rowId).max(200).default([]),
    terminalIds: z.array(rowId).max(1000).default([]),
    operator: z.enum(operators),
    low: number.optional().describe('the limit, the lower end of a range, or the difference of a change'),
    high: number.optional(),
    recoverAt: number.optional().describe('the alarm ends only on the good side of this'),
    hysteresis: z.coerce.number().min(0).max(1e300).optional(),
    bit: z.coerce.number().int().min(0).max(52).optional(),
    withinS: z.coerce.number().int().min(1).max(3_600).optional(),
    minutes: z.coerce.number().int().min(1).max(10_080).optional(),
    forS: z.coerce.number().int().min(0).max(86_400).default(0),
    formula: z
      .string()
      .trim()
      .max(FORMULA_MAX)
      .optional()
      .describe('over variables of the same template: it holds while the result is not 0'),
  },
  { groupIds: 'alarm:scope.groups' },
)
const fields = {
  ...labelled({ name: ruleName.name }, { name: 'variable-notice:event' }),
  ...condition,
  ...ruleNotice,
}
/** An empty input is no zero. */
const blanks = ['low', 'high', 'recoverAt', 'hysteresis', 'bit', 'withinS', 'minutes', 'forS', 'formula']

const conditionReply = {
  variableId: z.number().nullable().describe('null: the variable was deleted, nothing is watched'),
  variableName: z.string(),
  unit: z.string(),
  templateName: z.string().nullable(),
  terminalScope: z.enum(terminalScopes),
  operator: z.enum(operators),
  low: z.number().nullable(),
  high: z.number().nullable(),
  recoverAt: z.number().nullable(),
  hysteresis: z.number().nullable(),
  bit: z.number().nullable(),
  withinS: z.number().nullable(),
  minutes: z.number().nullable(),
  forS: z.number(),
  formula: z.string().nullable(),
}
const noticeRow = z.object({
  id: z.number(),
  customerId: z.number(),
  customerName: z.string(),
  name: z.string(),
  severity: z.enum(severities),
  enabled: z.boolean(),
  ...conditionReply,
  mode: z.enum(pushModes),
  intervalMinutes: z.number().nullable(),
  byEmail: z.boolean(),
  terminals: z.array(z.string()).describe('those chosen by name; of all or of groups: empty'),
  terminalCount: z.number().describe('that it covers now'),
  activeCount: z.number(),
  receivers: z.array(z.string()).describe('contacts and channels by name'),
  updatedAt: instant,
})

export const getVariableNoticeList = listCall({
  path: '/api/variableNotice/getVariableNoticeList',
  permission: variableNoticesPermission,
  summary: 'Notices about variables with how many alarms each has now.',
  sorts: ['name', 'severity', 'updatedAt'],
  searches: ['name', 'variableName'],
  filters: {
    severity: z.enum(severities).optional(),
    state: z.enum(['enabled', 'disabled']).optional(),
    customerId: ownerId,
  },
  row: noticeRow.extend({ changeable: changeableRule }),
})
export const getVariableNotice = call({
  path: '/api/variableNotice/getVariableNotice',
  permission: variableNoticesPermission,
  summary: 'One notice with its terminals, receivers and texts.',
  body: z.object({ ruleId: rowId }),
  reply: noticeRow.omit({ activeCount: true, receivers: true, terminals: true, terminalCount: true }).extend({
    groups: z.array(z.object({ id: z.number(), name: z.string() })),
    terminals: z.array(z.object({ id: z.number(), name: z.string() })),
    ...noticeReply,
    edition,
  }),
})
export const createVariableNotice = call({
  path: '/api/variableNotice/createVariableNotice',
  permission: variableNoticeEditPermission,
  writes: true,
  about: makes(variableNoticeObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a notice about a variable. It is written in the language of the one who adds it.',
  body: z.object({ ...labelled({ customerId: ownerId }, { customerId: 'alarm:field.customer' }), ...fields }),
  blanks,
  reply: z.object({ id: z.number() }),
})
export const updateVariableNotice = call({
  path: '/api/variableNotice/updateVariableNotice',
  permission: variableNoticeEditPermission,
  writes: true,
  about: edits(variableNoticeObject, 'ruleId'),
  summary: 'Changes a notice.',
  body: z.object({ ruleId: rowId, ...fields, edition: openedEdition }),
  blanks,
})
export const enableVariableNotice = call({
  path: '/api/variableNotice/enableVariableNotice',
  permission: variableNoticeEditPermission,
  writes: true,
  about: edits(variableNoticeObject, 'ruleId'),
  summary: '[§4] Enables or disables a notice; disabling ends its alarms.',
  body: z.object({ ruleId: rowId, enabled: z.boolean() }),
})
export const deleteVariableNotice = call({
  path: '/api/variableNotice/deleteVariableNotice',
  permission: variableNoticeEditPermission,
  writes: true,
  about: deletes(variableNoticeObject, 'ruleId'),
  summary: 'Deletes a notice and ends its alarms; the records stay.',
  body: z.object({ ruleId: rowId }),
})

const search = storable(z.string().trim().max(100)).optional()
export const getNoticeVariables = call({
  path: '/api/variableNotice/getNoticeVariables',
  permission: variableNoticesPermission,
  about: reads(customerObject, 'customerId'),
  summary: 'Variables of the collection templates of a customer that can be watched, at most 50.',
  body: z.object({ customerId: ownerId, search, variableId: rowId.optional() }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        unit: z.string(),
        templateName: z.string(),
        reportType: z.enum(reportTypes),
        cycleS: z.number(),
        hasNumber: z.boolean().describe('false: a text, of which only silence and quality can be watched'),
      }),
    ),
  }),
})
export const getNoticeTerminals = call({
  path: '/api/variableNotice/getNoticeTerminals',
  permission: variableNoticesPermission,
  summary: 'Terminals that have the variable, at most 50.',
  body: z.object({ variableId: rowId, search }),
  reply: z.object({
    list: z.array(z.object({ id: z.number(), name: z.string(), deviceName: z.string() })),
  }),
})

export const tryNoticeFormula = call({
  path: '/api/variableNotice/tryNoticeFormula',
  permission: variableNoticesPermission,
  summary:
    'Computes the formula of a notice with the newest values of a terminal, and shows each of its parts.',
  body: z.object({ variableId: rowId, ...formulaTrial.asked }),
  reply: formulaTrial.reply,
})

export const variableNoticeScreen = screen({
  name: 'variable-notices',
  path: '/cloudMonitor/alarmManagement/alarmNotice',
  lists: 'variableNotice/getVariableNoticeList',
  menuId: 218,
  role: 'viewer',
  permission: variableNoticesPermission,
  parent: 'monitorAlarm',
  place: 20,
  area: 'monitor',
})
