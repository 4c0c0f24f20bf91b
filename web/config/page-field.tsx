/** Fields of pages in tables of differences. */
import { Text } from '@mantine/core'
import { FieldText } from '../kit/form/conflict-note.tsx'
import type { ShownField } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { fieldsOfPage, pageNamed, pageTitle } from './config-pages.ts'
import { fieldDifferences, isReordered, rowDifferences } from './row-differences.ts'

type Row = Readonly<Record<string, unknown>>
type Props = { page: string; field: string; value: unknown; beside: unknown }

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A character of no text. */
const PLACE = '\u0000'

/** These fields below each other, with their names: values are lists, too, and words. */
function NamedFields({ of, names, values }: { of: ShownField; names: readonly string[]; values: Row }) {
  return of.fields
    .filter(({ name }) => names.includes(name))
    .map((field) => {
      const [before, after] = t('kit:labelled', { label: field.label, text: PLACE }).split(PLACE)
      return (
        <div key={field.name}>
          {before}
          <FieldText field={field} value={values[field.name]} />
          {after}
        </div>
      )
    })
}

function RowsText({ of, rows, others }: { of: ShownField; rows: readonly Row[]; others: readonly Row[] }) {
  const differ = rowDifferences(
    of.fields.map(({ name }) => name),
    rows,
    others,
  )
  const alike = differ.length === 0 && rows.length === others.length
  return (
    <>
      {t('config:review.rows', { count: rows.length })}
      {alike ? (
        <Text size="sm" fw={400} component="div">
          {t(isReordered(rows, others) ? 'config:review.order' : 'config:review.masked')}
        </Text>
      ) : null}
      {differ.map(({ nth, fields }) => (
        <Text key={nth} size="sm" fw={400} component="div">
          <Text size="sm" c="dimmed">
            {t('form:row', { number: nth })}
          </Text>
          <NamedFields of={of} names={fields} values={rows[nth - 1] ?? {}} />
        </Text>
      ))}
    </>
  )
}

function SectionText({ of, value, beside }: { of: ShownField; value: Row; beside: Row }) {
  const names = fieldDifferences(
    of.fields.map(({ name }) => name),
    value,
    beside,
  )
  return (
    <Text size="sm" fw={400} component="div">
      {names.length === 0 ? t('config:review.masked') : <NamedFields of={of} names={names} values={value} />}
    </Text>
  )
}

/** `beside`: the values to compare with. For sections and lists only differences are shown. */
export function PageField({ page: name, field, value, beside }: Props) {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  if (!shown) return String(value)
  if (shown.input === 'rows' && Array.isArray(value))
    return <RowsText of={shown} rows={value} others={Array.isArray(beside) ? beside : []} />
  if (shown.input === 'fields' && isRow(value))
    return <SectionText of={shown} value={value} beside={isRow(beside) ? beside : {}} />
  return <FieldText field={shown} value={value} />
}

/** Of a field, with its page. */
export const fieldLabel = (name: string, field: string) => {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  return `${page ? pageTitle(page) : name} · ${shown?.label ?? field}`
}
