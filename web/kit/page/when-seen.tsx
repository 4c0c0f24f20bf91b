import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePrinting } from './printing.ts'

/** Part of it that must be visible, so that a line at the lower edge loads nothing. */
const SEEN = 0.25

/** Renders its content once it scrolls into view, so that code and data of unseen parts are not loaded. */
export function WhenSeen({ height, children }: { height: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  const printing = usePrinting()
  useEffect(() => {
    const element = place.current
    if (!element) return
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        setSeen(true)
        watcher.disconnect()
      },
      { threshold: SEEN },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    // On paper, where nothing can be loaded any more, no room is kept for it.
    <div ref={place} style={seen || printing ? undefined : { minHeight: height }}>
      {seen ? children : null}
    </div>
  )
}
