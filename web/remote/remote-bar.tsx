import { Group, Text } from '@mantine/core'
import { IconClockPlus, IconPlugX } from '@tabler/icons-react'
import { ActionButton } from '../kit/action-button.tsx'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useNow } from '../kit/time.tsx'
import classes from './remote.module.css'
import type { Remote, Session } from './remote-use.ts'

const left = (at: string, now: number): string => {
  const seconds = Math.max(0, Math.round((Date.parse(at) - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function Countdown({ session }: { session: Session }) {
  const now = useNow()
  const { idleAt, expiresAt } = session
  const idleFirst = idleAt !== null && Date.parse(idleAt) < Date.parse(expiresAt)
  return (
    <Text size="sm" c="dimmed" className={`tabular ${classes['time']}`} role="timer">
      {idleFirst
        ? t('remote:left.idle', { left: left(idleAt, now) })
        : t('remote:left.all', { left: left(expiresAt, now) })}
      <span className={classes['bytesDot']}>{' · '}</span>
      <span className={classes['bytes']}>
        {t('remote:bytes', { down: bytes(session.fromDeviceBytes), up: bytes(session.toDeviceBytes) })}
      </span>
    </Text>
  )
}

/** Below a page's title, while a session is open. */
export function RemoteBar({ remote }: { remote: Remote }) {
  const { session, isOpen } = remote
  if (!session || !isOpen) return null
  return (
    <Group gap={8}>
      <Countdown session={session} />
      <ActionButton icon={IconClockPlus} label={t('remote:extend')} onPress={() => remote.extend()} />
      <ActionButton icon={IconPlugX} label={t('remote:close')} rank="danger" onPress={() => remote.close()} />
    </Group>
  )
}
