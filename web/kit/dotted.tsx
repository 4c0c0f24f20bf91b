import type { ReactNode } from 'react'
import classes from './kit.module.css'

/** Parts with a dot between them; none at the beginning or the end of a line. What is empty is left out. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  const shown = parts.filter(Boolean)
  return (
    <span className={classes['dotted']}>
      {shown.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity of their own
        <span key={i}>
          <span>{i > 0 ? ' · ' : ''}</span>
          {part}
        </span>
      ))}
    </span>
  )
}
