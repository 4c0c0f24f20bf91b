import classes from '../kit.module.css'
import { usePrinting } from './printing.ts'

/** On paper only, below a page's title: what the hidden controls say, e.g. the range. */
export function PrintLines({ lines }: { lines: readonly string[] }) {
  if (!usePrinting()) return null
  return (
    <div className={classes['printLines']}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}
