import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { UNKNOWN } from './format.ts'
import { Hint } from './hint.tsx'
import { t } from './i18n.ts'
import classes from './kit.module.css'

/** Serial numbers, addresses, hashes: monospaced, copied on click. */
export function Mono({ value }: { value: string | null | undefined }) {
  const clipboard = useClipboard({ timeout: 1500 })
  if (!value) return UNKNOWN
  return (
    <Hint label={clipboard.copied ? t('kit:copied') : t('kit:copy')}>
      <UnstyledButton
        className={classes['mono']}
        data-text
        aria-label={`${value}: ${t('kit:copy')}`}
        onClick={(event) => {
          event.stopPropagation()
          clipboard.copy(value)
        }}
      >
        <span className={classes['ellipsis']}>{value}</span>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} stroke={1.5} />}
      </UnstyledButton>
    </Hint>
  )
}
