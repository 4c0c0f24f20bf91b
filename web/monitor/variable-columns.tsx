import { referenceOf } from '#schema/monitor/modbus/address'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import type { Variable } from './variable-editor.tsx'

/** Empty if there is no unit. */
export const unitText = (unit: string) => (unit === '-' ? '' : unit)

/** "Voltage (V)", to choose from. */
export const nameWithUnit = ({ name, unit }: { name: string; unit: string }) =>
  unitText(unit) === '' ? name : `${name} (${unit})`

type Choice =
  | 'registerType'
  | 'functionType'
  | 'access'
  | 'dataType'
  | 'reportType'
  | 'byteOrder'
  | 'ioController'

const choice = (name: Choice) => {
  const text = (row: Variable) => (row[name] === null ? '' : t(`variable:${name}.${row[name]}` as never))
  return { render: text, text }
}

/** What has no register is of this kind instead. */
const ofWhat = (row: Variable) =>
  row.registerType === null
    ? t(`variable:ioController.${row.ioController}`)
    : t(`variable:registerType.${row.registerType}`)

/** The CSV file has every field of the form, also of columns that are not shown: the import reads it back. */
export const variableColumns: readonly Column<Variable>[] = [
  { key: 'slot', title: 'variable:field.slot', width: 70, numeric: true, extra: true },
  { key: 'name', title: 'variable:field.name', width: 190, pinned: 'left', card: 'title', csv: true },
  { key: 'unit', title: 'variable:field.unit', width: 70, csv: true, render: (row) => unitText(row.unit) },
  {
    key: 'ioController',
    title: 'variable:field.ioController',
    width: 150,
    extra: true,
    csv: true,
    ...choice('ioController'),
  },
  {
    key: 'interfaceNumber',
    title: 'variable:field.interfaceNumber',
    width: 110,
    numeric: true,
    extra: true,
    csv: true,
  },
  {
    key: 'registerType',
    title: 'variable:field.registerType',
    width: 140,
    csv: true,
    ...choice('registerType'),
    render: ofWhat,
  },
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
    csv: true,
    text: (row) => row.address,
  },
  { key: 'dataType', title: 'variable:field.dataType', width: 120, csv: true, ...choice('dataType') },
  {
    key: 'byteOrder',
    title: 'variable:field.byteOrder',
    width: 130,
    extra: true,
    csv: true,
    ...choice('byteOrder'),
  },
  { key: 'bit', title: 'variable:field.bit', width: 90, numeric: true, extra: true, csv: true },
  { key: 'length', title: 'variable:field.length', width: 90, numeric: true, extra: true, csv: true },
  { key: 'noValue', title: 'variable:field.noValue', width: 150, extra: true, csv: true },
  {
    key: 'powerAddress',
    title: 'variable:field.powerAddress',
    width: 130,
    numeric: true,
    extra: true,
    csv: true,
  },
  { key: 'formula', title: 'variable:field.formula', width: 220, extra: true, csv: true },
  { key: 'factor', title: 'variable:field.factor', width: 90, numeric: true, csv: true },
  { key: 'addend', title: 'variable:field.addend', width: 90, numeric: true, extra: true, csv: true },
  { key: 'precision', title: 'variable:field.precision', width: 110, numeric: true, extra: true, csv: true },
  {
    key: 'functionType',
    title: 'variable:field.functionType',
    width: 150,
    csv: true,
    ...choice('functionType'),
  },
  { key: 'access', title: 'variable:field.access', width: 130, csv: true, ...choice('access') },
  { key: 'min', title: 'variable:field.min', width: 110, numeric: true, extra: true, csv: true },
  { key: 'max', title: 'variable:field.max', width: 110, numeric: true, extra: true, csv: true },
  { key: 'reportType', title: 'variable:field.reportType', width: 190, csv: true, ...choice('reportType') },
  {
    key: 'cycleS',
    title: 'variable:field.cycleS',
    width: 90,
    numeric: true,
    csv: true,
    render: (row) => number(row.cycleS),
  },
  { key: 'deadband', title: 'variable:field.deadband', width: 90, numeric: true, extra: true, csv: true },
  {
    key: 'minIntervalMs',
    title: 'variable:field.minIntervalMs',
    width: 150,
    numeric: true,
    extra: true,
    csv: true,
  },
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
