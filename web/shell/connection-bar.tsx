import { Button } from '@mantine/core'
import { IconClock, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { clockTime, duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { isReachable, useConnection, watchNetwork } from '../kit/server/connection.ts'
import { inServerTime } from '../kit/server/server-clock.ts'
import { giveUpWaiting, useLongWait } from '../kit/server/waiting.ts'
import { useNow } from '../kit/time.tsx'
import classes from './shell.module.css'

const at = (browserMs: number) => clockTime(inServerTime(browserMs))

function SlowNote({ sinceMs }: { sinceMs: number }) {
  const waited = Math.max(0, useNow() - inServerTime(sinceMs)) / 1000
  return (
    <div className={classes['workBar']} role="status">
      <IconClock size={18} stroke={1.5} />
      <span>{t('shell:connection.slow', { duration: duration(waited) })}</span>
      <Button size="compact-sm" variant="default" ml="auto" onClick={giveUpWaiting}>
        {t('shell:connection.giveUp')}
      </Button>
    </div>
  )
}

/** The one place that says that the server cannot be reached, is back, or takes long to answer. */
export function ConnectionBar() {
  const connection = useConnection()
  const waitingSince = useLongWait()
  useEffect(watchNetwork, [])
  if (connection.state === 'down')
    return (
      <div className={classes['downBar']} role="alert">
        <IconPlugConnectedX size={18} stroke={1.5} />
        <span>
          {t('shell:connection.down', { since: at(connection.sinceMs), heard: at(connection.heardMs) })}
        </span>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          ml="auto"
          onClick={() => void isReachable()}
          style={{ flex: 'none' }}
        >
          {t('shell:connection.retry')}
        </Button>
      </div>
    )
  if (connection.state === 'back')
    return (
      <div className={classes['backBar']} role="status">
        <IconPlugConnected size={18} stroke={1.5} />
        <span>{t('shell:connection.back', { at: at(connection.sinceMs) })}</span>
      </div>
    )
  return waitingSince === null ? null : <SlowNote sinceMs={waitingSince} />
}
