import { Loader } from '@mantine/core'
import { IconAlertOctagon, IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { commandEnds, getCommandList } from '#schema/command/command'
import { getDeviceDetail } from '#schema/device/device'
import classes from '../device/device.module.css'
import { endedText } from '../kit/ended-text.ts'
import { ago, duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { commandTitle, endsWithReturn, isBanner } from './commands.ts'

export type CommandRow = Row<typeof getCommandList>
const WATCHED_EVERY_S = 2
const IDLE_EVERY_S = 15
/** A result is shown for two minutes; after that it is only in the history. */
const RESULT_SHOWN_MS = 120_000
const SHOWN = 3
const READ = 10
const isOver = (command: CommandRow) => commandEnds.includes(command.state)

/** Only a command that ends with a reconnect waits for a heartbeat. */
const liveKey = ({ state, name }: CommandRow) =>
  state === 'accepted' && !endsWithReturn(name)
    ? 'command:live.working'
    : (`command:live.${state}` as 'command:live.sent')

/** "Reboot sent 12 s ago, waiting for heartbeat", and later the result. */
export function commandText(command: CommandRow, now: number): string {
  const name = commandTitle(command.name, command.args)
  const by = nameText(command.createdBy) ?? ''
  const at = command.sentAt ?? command.createdAt
  if (!isOver(command)) return t(liveKey(command), { name, ago: ago(at, now), by })
  const took = command.endedAt
    ? // Less than a second is shown as well.
      duration(
        Math.max(1, (new Date(command.endedAt).getTime() - new Date(command.createdAt).getTime()) / 1000),
      )
    : ''
  const error = command.error ? endedText(command.error) : ''
  const end = t(`command:end.${command.state}` as 'command:end.done', { name, took, by })
  return error ? t('kit:labelled', { label: end, text: error }) : end
}

/** Commands in progress, and those that ended recently, on every tab of the device. */
export function CommandBanner({ deviceId }: { deviceId: number }) {
  const now = useNow()
  const recent = useCall(getCommandList, { deviceId, limit: READ }, { refreshS: IDLE_EVERY_S })
  const list = (recent.data?.list ?? []).filter(({ name }) => isBanner(name))
  const watched = list.some((command) => !isOver(command))
  // The same query, polled more often while a command is in progress.
  useCall(getCommandList, { deviceId, limit: READ }, { refreshS: WATCHED_EVERY_S, enabled: watched })
  const client = useQueryClient()
  const awaited = useRef(false)
  // The details are read again when a command ends; otherwise "verified" could be shown beside "offline".
  useEffect(() => {
    if (awaited.current && !watched) void client.invalidateQueries({ queryKey: [getDeviceDetail.name] })
    awaited.current = watched
  }, [watched, client])
  const shown = list
    .filter((command) => !isOver(command) || now - new Date(command.endedAt ?? 0).getTime() < RESULT_SHOWN_MS)
    .slice(0, SHOWN)
  return shown.map((command) => {
    const over = isOver(command)
    const done = command.state === 'done'
    return (
      <div
        key={command.commandId}
        className={classes['banner']}
        data-tone={over ? (done ? 'online' : 'critical') : 'pending'}
        role="status"
      >
        {over ? (
          done ? (
            <IconCircleCheck size={16} />
          ) : (
            <IconAlertOctagon size={16} />
          )
        ) : (
          <Loader size={14} color="currentColor" />
        )}
        <span title={commandText(command, now)}>{commandText(command, now)}</span>
      </div>
    )
  })
}
