import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { UNKNOWN } from './format.ts'
import { Hint } from './hint.tsx'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { useCopy } from './light/copy.ts'
import { bareButton } from './light/row-parts.tsx'

/** Serial numbers, addresses, hashes: monospaced, copied on click; one that is cut is whole in its tooltip. */
export function Mono({ value }: { value: string | null | undefined }) {
  const { copied, copy } = useCopy()
  const [cut, setCut] = useState(false)
  if (!value) return UNKNOWN
  const verb = t('kit:copy')
  const whole = (
    <span style={{ overflowWrap: 'anywhere' }}>
      {value}
      <br />
      {verb}
    </span>
  )
  return (
    <Hint label={copied ? t('kit:copied') : cut ? whole : verb}>
      <button
        type="button"
        className={`${bareButton} ${classes['mono']}`}
        data-text
        aria-label={`${value}: ${verb}`}
        onMouseEnter={({ currentTarget: { firstElementChild: text } }) =>
          setCut(text !== null && text.scrollWidth > text.clientWidth)
        }
        onClick={(event) => {
          event.stopPropagation()
          copy(value)
        }}
      >
        <span className={classes['ellipsis']}>{value}</span>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} stroke={1.5} />}
      </button>
    </Hint>
  )
}
