/** Fields of pages in tables of differences. */
import { Text } from '@mantine/core'
import { FieldText } from '../kit/form/conflict-note.tsx'
import { t } from '../kit/i18n.ts'
import { fieldsOfPage, pageNamed, pageTitle } from './config-pages.ts'
import { isReordered, rowDifferences } from './row-differences.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]
type Props = { page: string; field: string; value: unknown; beside: unknown }

/** `beside`: what it is compared with. Of a list only the rows that differ are shown, and of those what differs. */
export function PageField({ page: name, field, value, beside }: Props) {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  if (!shown) return String(value)
  if (shown.input !== 'rows' || !Array.isArray(value)) return <FieldText field={shown} value={value} />
  const rows = value as Rows
  const others = Array.isArray(beside) ? (beside as Rows) : []
  const inside = new Map(shown.fields.map((one) => [one.name, one]))
  const differ = rowDifferences([...inside.keys()], rows, others)
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
          {t('config:review.row', { nth })}{' '}
          {fields.map((one, i) => {
            const declared = inside.get(one)
            return declared ? (
              <span key={one}>
                {i > 0 ? t('kit:comma') : ''}
                {declared.label} <FieldText field={declared} value={rows[nth - 1]?.[one]} />
              </span>
            ) : null
          })}
        </Text>
      ))}
    </>
  )
}

/** Of a field, with its page. */
export const fieldLabel = (name: string, field: string) => {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  return `${page ? pageTitle(page) : name} · ${shown?.label ?? field}`
}
