import { Button, Text } from '@mantine/core'
import { IconAlertOctagon, IconClock } from '@tabler/icons-react'
import { ApiError, requestIdOf } from './api.ts'
import { clockTime } from './format.ts'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { usePageAddress } from './page/page.tsx'
import { RequestIdNote } from './request-id-note.tsx'
import { useConnection } from './server/connection.ts'
import { inServerTime } from './server/server-clock.ts'

/** What failed: the cause, the request id to copy, and a retry button. */
export function ErrorBar({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div className={classes['errorBar']} role="alert">
      <IconAlertOctagon size={18} stroke={1.5} />
      <span className={classes['errorText']}>{error.message}</span>
      <RequestIdNote id={requestIdOf(error)} />
      {onRetry ? (
        <Button size="compact-sm" variant="subtle" color="red" ml="auto" onClick={onRetry}>
          {t('kit:error.retry')}
        </Button>
      ) : null}
    </div>
  )
}

export type Read = {
  error: Error | null
  data: unknown
  /** By the browser's clock. */
  dataUpdatedAt: number
  refetch: () => unknown
}

/**
 * Above what a read shows: while the server is away, how old it is (the shell says why); after any other failure, the
 * error, and how old the data below it is. What was refused for a field of its body would be refused again; if the
 * page's address holds that field, the address is wrong.
 */
export function ReadBar({ read }: { read: Read }) {
  const params = usePageAddress()?.params ?? {}
  const down = useConnection().state === 'down'
  const known = read.data !== undefined && read.dataUpdatedAt > 0
  const age = known ? t('kit:connection.asOf', { at: clockTime(inServerTime(read.dataUpdatedAt)) }) : null
  if (down)
    return (
      <Text className={classes['asOf'] ?? ''} role="note" component="div">
        <IconClock size={16} stroke={1.5} />
        {age ?? t('kit:connection.noData')}
      </Text>
    )
  if (!read.error) return null
  const field = read.error instanceof ApiError ? read.error.field : undefined
  const shown =
    field !== undefined && params[field] !== undefined ? new Error(t('kit:error.address')) : read.error
  return (
    <>
      <ErrorBar error={shown} {...(field === undefined ? { onRetry: () => void read.refetch() } : {})} />
      {age ? (
        <Text className={classes['asOf'] ?? ''} role="note" component="div">
          <IconClock size={16} stroke={1.5} />
          {age}
        </Text>
      ) : null}
    </>
  )
}
