import type { ReactNode } from 'react'
import classes from '../device/device-detail.module.css'

/** Preformatted lines in a scrollable box that is reachable by keyboard. */
export function OutputPane({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={classes['output']} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
