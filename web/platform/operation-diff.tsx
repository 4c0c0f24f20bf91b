import { diffJson } from 'diff'
import classes from './operation.module.css'

/** Before and after, line by line; removed and added lines have a sign as well as a colour. */
export function OperationDiff({ before, after }: { before: unknown; after: unknown }) {
  const parts = diffJson((before ?? {}) as object, (after ?? {}) as object)
  const lines = parts.flatMap((part) =>
    part.value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ text, sign: part.added ? '+' : part.removed ? '−' : ' ' })),
  )
  return (
    <pre className={classes['diff']}>
      {lines.map(({ text, sign }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no id
        <div key={index} data-sign={sign}>
          <span aria-hidden>{sign}</span>
          {sign === '+' ? <ins>{text}</ins> : sign === '−' ? <del>{text}</del> : text}
        </div>
      ))}
    </pre>
  )
}
