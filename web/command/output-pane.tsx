import type { ReactNode } from 'react'
import classes from '../device/device-detail.module.css'

/** Lines in a fixed font that scroll inside, also by the keyboard. */
export function OutputPane({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className={classes['output']} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
