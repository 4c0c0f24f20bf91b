/** The page of a list that is shown: a number within the declared bounds, and never beyond the last page. */
import { createParser } from 'nuqs'
import { useEffect, useEffectEvent } from 'react'
import { LIST_PAGE_MAX } from '#schema/kit/list'

/** In the URL. Links may have been edited, or be older than the list. */
export const pageNumber = createParser({
  parse: (text) => {
    const page = Number.parseInt(text, 10)
    return Number.isNaN(page) ? null : Math.min(Math.max(1, page), LIST_PAGE_MAX)
  },
  serialize: String,
}).withDefault(1)

/** At least 1, also of an empty list. */
export const lastPage = (total: number, limit: number) => Math.max(1, Math.ceil(total / limit))

/**
 * Goes to the last page if the shown one no longer has rows, because they were deleted or the link is old.
 * @returns whether it does: there is nothing to draw until then
 */
export function useLastPage(
  rows: readonly unknown[] | undefined,
  { offset, limit, total }: { offset: number; limit: number; total: number },
  go: (page: number) => void,
): boolean {
  const last = lastPage(total, limit)
  const isBeyond = rows?.length === 0 && offset > last
  const leave = useEffectEvent(() => go(last))
  useEffect(() => {
    if (isBeyond) leave()
  }, [isBeyond])
  return isBeyond
}
