import { type RefObject, useLayoutEffect, useRef } from 'react'
import { t } from '../i18n.ts'

const SORTED = '.mantine-datatable-header-cell-sortable-icon'
const UNSORTED = '.mantine-datatable-header-cell-sortable-unsorted-icon'

/**
 * How a table is sorted, for screen readers, in the language of the console: the library names the icons of its headings in
 * English ("Not sorted") and takes no other text. A heading is a button there, for which `aria-sort` does not exist.
 */
export function useSortMarks(descending: boolean): RefObject<HTMLTableElement> {
  // The library's type does not know that there is no table before the first rendering.
  const table = useRef<HTMLTableElement>(null) as RefObject<HTMLTableElement>
  // After each rendering, which may have named an icon anew.
  useLayoutEffect(() => {
    for (const icon of table.current.querySelectorAll(`thead ${SORTED}`))
      icon.setAttribute('aria-label', t(descending ? 'list:descending' : 'list:ascending'))
    for (const icon of table.current.querySelectorAll(`thead ${UNSORTED}`)) {
      icon.removeAttribute('aria-label')
      icon.setAttribute('aria-hidden', 'true')
    }
  })
  return table
}
