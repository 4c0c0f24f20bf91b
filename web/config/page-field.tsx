/** Fields of pages in tables of differences. */
import { FieldText } from '../kit/form/conflict-note.tsx'
import { t } from '../kit/i18n.ts'
import { fieldsOfPage, pageNamed, pageTitle } from './config-pages.ts'

export function PageField({ page: name, field, value }: { page: string; field: string; value: unknown }) {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  if (!shown) return String(value)
  if (shown.input === 'rows' && Array.isArray(value)) return t('config:review.rows', { count: value.length })
  return <FieldText field={shown} value={value} />
}

/** Of a field, with its page. */
export const fieldLabel = (name: string, field: string) => {
  const page = pageNamed(name)
  const shown = page && fieldsOfPage(page).find((one) => one.name === field)
  return `${page ? pageTitle(page) : name} · ${shown?.label ?? field}`
}
