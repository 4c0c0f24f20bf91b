import { parseAsString, useQueryState } from 'nuqs'
import { useEffect, useEffectEvent } from 'react'
import { usePage } from './page/page.tsx'

/**
 * `?new=1` opens the form that creates something: links elsewhere (the palette, an empty page) use it. If a page has
 * several, the value names one. The parameter is removed immediately, so that a reload does not open it again.
 */
export function useNewParameter(open: (what: string) => void) {
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
