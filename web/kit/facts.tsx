import type { ReactNode } from 'react'
import { UNKNOWN } from './format.ts'
import classes from './kit.module.css'

/** `long`: twice as wide as the others; has a line of its own where the window is narrow. */
export type Fact = { label: string; value: ReactNode; long?: boolean }

/** Labels and values in as many columns as fit; unknown values are shown as unknown. */
export function Facts({ facts, width = 200 }: { facts: readonly Fact[]; width?: number }) {
  return (
    <dl className={classes['facts']} style={{ '--fact-width': `${width}px` }}>
      {facts.map(({ label, value, long }) => (
        <div key={label} data-long={long || undefined}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? UNKNOWN : value}</dd>
        </div>
      ))}
    </dl>
  )
}
