import { parseAsString, useQueryState } from 'nuqs'
import { useEffect, useEffectEvent } from 'react'
import { usePage } from './page.tsx'

/**
 * `?new=1` opens the form that makes something new: links elsewhere (the palette, an empty page) lead to it. Where a page
 * has several, the value names one. The address forgets it at once, so that a reload does not open it again.
 */
export function useAskedNew(open: (what: string) => void) {
  const { active } = usePage()
  const [what, setWhat] = useQueryState('new', parseAsString.withDefault(''))
  const run = useEffectEvent(() => {
    open(what)
    void setWhat(null)
  })
  useEffect(() => {
    if (active && what !== '') run()
  }, [active, what])
}
