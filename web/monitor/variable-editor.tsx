/** The variables of one template, editable; made once for each page, because drawers belong to their page. */
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { isAboutValues } from '#schema/monitor/notice/variable-condition'
import {
  addVariable,
  deleteVariable,
  getTemplateVariables,
  hideVariable,
  modifyVariable,
} from '#schema/monitor/variable'
import { getVariableNoticeList, variableNoticesPermission } from '#schema/monitor/variable-notice'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { type VariableFields, variableFaults } from '#schema/monitor/variable-rules'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import type { Row, RowAction } from '../kit/list/list-types.ts'
import { can } from '../kit/session.ts'
import { withUndo } from '../kit/undo.tsx'
import { AddressField } from './address-field.tsx'
import { formulaField } from './formula-trial.tsx'
import { Reach, type Template } from './template-fields.tsx'

const NOTICES_READ = 500

export type Variable = Row<typeof getTemplateVariables>

const fields = [
  'name',
  'unit',
  'functionType',
  'access',
  'ioController',
  'interfaceNumber',
  'formula',
  'registerType',
  'address',
  'dataType',
  'byteOrder',
  'bit',
  'length',
  'factor',
  'addend',
  'precision',
  'noValue',
  'powerAddress',
  'min',
  'max',
  'reportType',
  'cycleS',
  'deadband',
  'minIntervalMs',
] as const satisfies readonly (keyof Variable)[]

const initial: FormValues = {
  registerType: 'holding',
  dataType: 'uint16',
  byteOrder: 'template',
  reportType: 'both',
}
const judge = (values: FormValues) => variableFaults({ factor: 1, addend: 0, ...values } as VariableFields)

/** A limit stays the number that was entered: with another unit or factor it means something else. */
async function confirmUnit(row: Variable, values: FormValues): Promise<boolean> {
  const changed = (['unit', 'factor', 'addend'] as const).some(
    (name) => String(values[name]) !== String(row[name]),
  )
  if (!changed || !can(variableNoticesPermission)) return true
  const { list } = await request(getVariableNoticeList, { search: row.name, limit: NOTICES_READ })
  const names = list
    .filter(({ variableId, operator }) => variableId === row.id && isAboutValues(operator))
    .map(({ name }) => name)
  if (names.length === 0) return true
  return ask({
    title: t('variable:limits.title', { name: row.name }),
    text: t('variable:limits.text', { names: names.join(t('kit:comma')) }),
    verb: t('kit:save'),
  })
}

function drawnOf(templateId: number): readonly (Field | string)[] {
  const drawn: Readonly<Record<string, Omit<Field, 'name'>>> = {
    address: { Draw: AddressField, narrow: true },
    formula: { Draw: formulaField(templateId) },
  }
  return fields.map((name) => (drawn[name] ? { name, ...drawn[name] } : name))
}

/** The form of a new variable, once for each opening; the fast access wizard has it, too. */
export const newVariable = (templateId: number) => ({ fields: drawnOf(templateId), initial, judge })

const valuesOf = (row: Variable): FormValues =>
  Object.fromEntries(fields.map((name) => [name, row[name] ?? '']))

const hide = ({ id, name, hidden }: Variable) =>
  withUndo({
    text: t(hidden ? 'variable:collectedDone' : 'variable:stoppedDone', { name }),
    run: () => request(hideVariable, { id, hidden: !hidden }),
    undo: () => request(hideVariable, { id, hidden }),
    refreshes: [getTemplateVariables],
  })

export function variableEditor(templateId: number) {
  const drawn = drawnOf(templateId)
  const editor = listEditor({
    list: getTemplateVariables,
    fields: () => drawn,
    success: 'variable:saved',
    note: () => <Reach templateId={templateId} />,
    judge,
    create: {
      call: addVariable,
      title: 'variable:create',
      permission: templateEditPermission,
      fixed: { templateId },
      initial,
    },
    edit: {
      call: modifyVariable,
      title: 'variable:edit',
      permission: templateEditPermission,
      fixed: ({ id }) => ({ id }),
      values: valuesOf,
      confirm: confirmUnit,
    },
  })
  const actions =
    (template: Pick<Template, 'changeable' | 'terminalCount'>) =>
    (row: Variable): RowAction[] => {
      const locked = template.changeable ? null : t('collection-template:locked')
      const running = template.terminalCount > 0 && !row.hidden ? t('variable:running') : null
      return [
        { ...editor.edit(row), reason: locked },
        {
          key: 'collect',
          label: t(row.hidden ? 'variable:collect' : 'variable:stop'),
          icon: row.hidden ? IconPlayerPlay : IconPlayerPause,
          permission: templateEditPermission,
          reason: locked,
          run: () => void hide(row),
        },
        {
          key: 'delete',
          label: t('kit:delete'),
          icon: IconTrash,
          permission: templateEditPermission,
          danger: true,
          reason: locked ?? running,
          run: () =>
            void deleteRow({
              call: deleteVariable,
              body: { id: row.id },
              title: t('variable:remove.title', { name: row.name }),
              text: t('variable:remove.text'),
              done: t('variable:remove.done', { name: row.name }),
              refreshes: [getTemplateVariables],
            }),
        },
      ]
    }
  return { ...editor, actions }
}
