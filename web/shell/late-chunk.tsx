import { Button, Group, Paper, Text } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { CHUNK_TIMEOUT_MS, lateChunks, watchLate } from '../kit/chunk.ts'
import { t } from '../kit/i18n.ts'
import { wantedPath } from '../kit/navigation.ts'
import classes from './late-chunk.module.css'

/** The late chunk may be the requested page: then the URL is still that of the previous page. */
const tryAgain = () => {
  const path = wantedPath()
  if (path) location.assign(path)
  else location.reload()
}

/**
 * [§9 Chunk load timeout] Reports that a part of the console did not load in time, and offers to retry. Rendered once
 * at the root.
 */
export function LateChunk() {
  const late = useSyncExternalStore(watchLate, lateChunks)
  const [closedAt, setClosedAt] = useState(0)
  // After closing it stays closed until another chunk is late.
  if (late < closedAt) setClosedAt(late)
  if (late <= closedAt) return null
  return (
    <Paper className={classes['lateChunk'] ?? ''} role="alert" withBorder shadow="md" p="sm">
      <Text size="sm">{t('kit:error.late', { seconds: CHUNK_TIMEOUT_MS / 1000 })}</Text>
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="compact-sm" variant="default" onClick={() => setClosedAt(late)}>
          {t('kit:close')}
        </Button>
        <Button size="compact-sm" onClick={tryAgain}>
          {t('kit:error.retry')}
        </Button>
      </Group>
    </Paper>
  )
}
