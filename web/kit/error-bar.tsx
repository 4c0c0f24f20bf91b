import { Button } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { ApiError } from './api.ts'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { Mono } from './mono.tsx'

/** Above data that could not be refreshed: the cause, the request id, and a retry button. */
export function ErrorBar({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div className={classes['errorBar']} role="alert">
      <IconAlertOctagon size={18} stroke={1.5} />
      <span>{error.message}</span>
      {requestId ? <Mono value={requestId} /> : null}
      {onRetry ? (
        <Button size="compact-sm" variant="subtle" color="red" ml="auto" onClick={onRetry}>
          {t('kit:error.retry')}
        </Button>
      ) : null}
    </div>
  )
}
