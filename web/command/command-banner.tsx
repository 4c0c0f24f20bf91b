import { Loader } from '@mantine/core'
import { IconAlertOctagon, IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { commandEnds, getCommandList } from '#schema/command/command'
import { getDeviceDetail } from '#schema/device/device'
import classes from '../device/device.module.css'
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
/** A result stays in sight for two minutes; then it is history. */
const RESULT_SHOWN_MS = 120_000
const SHOWN = 3
const READ = 10
const isOver = (command: CommandRow) => commandEnds.includes(command.state)

/** Only what ends with a return is waited for at its heartbeat. */
const liveKey = ({ state, name }: CommandRow) =>
  state === 'accepted' && !endsWithReturn(name)
    ? 'command:live.working'
    : (`command:live.${state}` as 'command:live.sent')

/** "Reboot sent 12 s ago, waiting for heartbeat", then what came of it. */
export function commandText(command: CommandRow, now: number): string {
  const name = commandTitle(command.name, command.args)
  const by = nameText(command.createdBy) ?? ''
  const at = command.sentAt ?? command.createdAt
  if (!isOver(command)) return t(liveKey(command), { name, ago: ago(at, now), by })
  const took = command.endedAt
    ? // Less than a second is not nothing.
      duration(
        Math.max(1, (new Date(command.endedAt).getTime() - new Date(command.createdAt).getTime()) / 1000),
      )
    : ''
  const error = command.error ? `: ${command.error}` : ''
  return `${t(`command:end.${command.state}` as 'command:end.done', { name, took, by })}${error}`
}

/** Commands under way, and those that ended just now, on every tab of the device. */
export function CommandBanner({ deviceId }: { deviceId: number }) {
  const now = useNow()
  const recent = useCall(getCommandList, { deviceId, limit: READ }, { refreshS: IDLE_EVERY_S })
  const list = (recent.data?.list ?? []).filter(({ name }) => isBanner(name))
  const watched = list.some((command) => !isOver(command))
  // The same question, asked more often while something is awaited.
  useCall(getCommandList, { deviceId, limit: READ }, { refreshS: WATCHED_EVERY_S, enabled: watched })
  const client = useQueryClient()
  const awaited = useRef(false)
  // "Verified" beside "offline" would be two truths: what a command has changed is read when it ends.
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
