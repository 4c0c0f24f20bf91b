import { referenceOf } from '#schema/monitor/modbus/address'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import type { Variable } from './variable-editor.tsx'

/** Empty if there is no unit. */
export const unitText = (unit: string) => (unit === '-' ? '' : unit)

const choice = (name: 'registerType' | 'functionType' | 'access' | 'dataType' | 'reportType') => ({
  render: (row: Variable) => choiceText(name, row),
  text: (row: Variable) => choiceText(name, row),
})
const choiceText = (
  name: 'registerType' | 'functionType' | 'access' | 'dataType' | 'reportType',
  row: Variable,
) => {
  const value = row[name]
  return value === null
    ? t(`variable:ioController.${row.ioController}`)
    : t(`variable:${name}.${value}` as never)
}

export const variableColumns: readonly Column<Variable>[] = [
  { key: 'slot', title: 'variable:field.slot', width: 70, numeric: true, extra: true },
  { key: 'name', title: 'variable:field.name', width: 190, pinned: 'left', card: 'title' },
  { key: 'unit', title: 'variable:field.unit', width: 70, render: (row) => unitText(row.unit) },
  { key: 'registerType', title: 'variable:field.registerType', width: 140, ...choice('registerType') },
  {
    key: 'address',
    title: 'variable:field.address',
    width: 130,
    numeric: true,
    render: (row) =>
      row.address === null || row.registerType === null ? (
        row.interfaceNumber
      ) : (
        <span
          title={t('variable:address.inManuals', { reference: referenceOf(row.registerType, row.address) })}
        >
          {row.address}
        </span>
      ),
    text: (row) => row.address ?? row.interfaceNumber,
  },
  { key: 'dataType', title: 'variable:field.dataType', width: 120, ...choice('dataType') },
  {
    key: 'byteOrder',
    title: 'variable:field.byteOrder',
    width: 130,
    extra: true,
    render: (row) => t(`variable:byteOrder.${row.byteOrder}`),
    text: (row) => t(`variable:byteOrder.${row.byteOrder}`),
  },
  { key: 'formula', title: 'variable:field.formula', width: 220, extra: true },
  { key: 'factor', title: 'variable:field.factor', width: 90, numeric: true },
  { key: 'addend', title: 'variable:field.addend', width: 90, numeric: true, extra: true },
  { key: 'precision', title: 'variable:field.precision', width: 110, numeric: true, extra: true },
  { key: 'functionType', title: 'variable:field.functionType', width: 150, ...choice('functionType') },
  { key: 'access', title: 'variable:field.access', width: 130, ...choice('access') },
  { key: 'min', title: 'variable:field.min', width: 110, numeric: true, extra: true },
  { key: 'max', title: 'variable:field.max', width: 110, numeric: true, extra: true },
  { key: 'reportType', title: 'variable:field.reportType', width: 190, ...choice('reportType') },
  {
    key: 'cycleS',
    title: 'variable:field.cycleS',
    width: 90,
    numeric: true,
    render: (row) => number(row.cycleS),
  },
  { key: 'deadband', title: 'variable:field.deadband', width: 90, numeric: true, extra: true },
  {
    key: 'hidden',
    title: 'variable:field.collected',
    width: 120,
    card: 'beside',
    render: (row) => (
      <StatusChip
        tone={row.hidden ? 'offline' : 'online'}
        label={t(row.hidden ? 'variable:stopped' : 'variable:collected')}
      />
    ),
    text: (row) => t(row.hidden ? 'variable:stopped' : 'variable:collected'),
  },
]
