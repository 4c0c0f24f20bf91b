import { Button, Chip, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconPlayerPlay, IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { deviceLogsPermission, fetchLogs } from '#schema/device/commands/log'
import { getDeviceLogList, logPriorities } from '#schema/device/log'
import { useFollowed } from '../command/command-follow.ts'
import { commandBlockedReason } from '../command/commands.ts'
import type { Device } from '../device/device-actions.tsx'
import classes from '../device/device-detail.module.css'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { withKeys } from './log-keys.ts'

type Line = Row<typeof getDeviceLogList>
const tones: Partial<Record<Line['priority'], string>> = {
  warning: 'warning',
  error: 'critical',
  fatal: 'critical',
  alert: 'critical',
  emergency: 'critical',
}
const PAGE = 200
const PAGES_MAX = 10
const FOLLOW_S = 600
const LIVE_EVERY_S = 2
const IDLE_EVERY_S = 15

/** Newest at the end; scrolls along while it is scrolled to the end. */
function Lines({ lines, onOlder }: { lines: readonly Line[]; onOlder: (() => void) | null }) {
  const pane = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lines scroll
  useEffect(() => {
    if (pane.current && atEnd.current) pane.current.scrollTop = pane.current.scrollHeight
  }, [lines])
  return (
    <div
      ref={pane}
      className={classes['logs']}
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      aria-label={t('device:tab.logs')}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      {onOlder ? (
        <Group justify="center" py={4}>
          <Button size="compact-sm" variant="subtle" onClick={onOlder}>
            {t('detail:log.older')}
          </Button>
        </Group>
      ) : null}
      {withKeys(lines).map(({ key, at, priority, tag, text }) => (
        <div key={key} className={classes['logLine']} data-tone={tones[priority]}>
          <time dateTime={at}>{moment(at)}</time>
          <span>{t(`device:log.${priority}`)}</span>
          <span title={tag ?? undefined}>{tag ?? ''}</span>
          <span className={classes['logText']}>{text}</span>
        </div>
      ))}
    </div>
  )
}

/** The device's log, fetched by command and live; shown as plain text, whatever it contains. */
export function DeviceLogs({ device }: { device: Device }) {
  const { deviceId } = device
  const [priorities, setPriorities] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), SEARCH_PAUSE_MS)
  const [pages, setPages] = useState(1)
  /** Since when the device was last asked to follow. */
  const [live, setLive] = useState<number | null>(null)
  const followed = useFollowed(deviceId)
  // The device follows for that long, and then says nothing more.
  useEffect(() => {
    if (live === null) return
    // From when it was asked: the page may have been hidden meanwhile.
    const leftMs = Math.min(FOLLOW_S * 1000, live + FOLLOW_S * 1000 - Date.now())
    const timer = setTimeout(() => setLive(null), leftMs)
    return () => clearTimeout(timer)
  }, [live])
  const list = useCall(
    getDeviceLogList,
    {
      deviceId,
      limit: PAGE * pages,
      ...(priorities.length > 0 ? { priorities: priorities as Line['priority'][] } : {}),
      ...(search ? { search } : {}),
    },
    { keepPrevious: true, refreshS: live !== null || followed.busy ? LIVE_EVERY_S : IDLE_EVERY_S },
  )
  const lines = useMemo(() => list.data?.list.toReversed() ?? [], [list.data])
  const more = (list.data?.total ?? 0) > lines.length && pages < PAGES_MAX
  const why = commandBlockedReason(device, fetchLogs.name)
  // The device follows as its last request says.
  const ask = (follows: boolean, count = PAGE) => {
    setLive(follows ? Date.now() : null)
    return followed.send(device, fetchLogs.name, {
      least: 'info',
      lines: count,
      followS: follows ? FOLLOW_S : 0,
    })
  }
  const stop = () => (why === null ? ask(false, 1) : setLive(null))
  return (
    <Card>
      <div className={classes['tools']} style={{ marginBottom: 12 }}>
        <ActionButton
          icon={IconDownload}
          label={t('detail:log.fetch')}
          permission={deviceLogsPermission}
          reason={why}
          busy={followed.busy}
          onPress={() => ask(live !== null)}
        />
        <ActionButton
          rank={live === null ? 'secondary' : 'primary'}
          icon={live === null ? IconPlayerPlay : IconPlayerStop}
          label={t(live === null ? 'detail:log.live' : 'detail:log.stop')}
          permission={deviceLogsPermission}
          reason={live === null ? why : null}
          // A device has one such command at a time.
          busy={followed.busy}
          onPress={() => (live === null ? ask(true) : stop())}
        />
        <TextInput
          className={classes['grow']}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          placeholder={t('detail:log.search')}
          aria-label={t('detail:log.search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <Chip.Group multiple value={priorities} onChange={setPriorities}>
        <Group gap={6} mb="sm" role="group" aria-label={t('device:log.priority')}>
          {logPriorities.map((value) => (
            <Chip key={value} value={value} size="xs">
              {t(`device:log.${value}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <ReadBar read={list} />
      {list.data ? (
        lines.length > 0 ? (
          <>
            <Text fz="xs" c="dimmed" mb={4}>
              {t('detail:log.shown', { shown: lines.length, total: list.data.total })}
            </Text>
            <Lines lines={lines} onOlder={more ? () => setPages(pages + 1) : null} />
          </>
        ) : priorities.length > 0 || search ? (
          <Empty kind="noMatch" />
        ) : (
          <Empty title={t('device:log.none')} text={t('device:log.noneText')} />
        )
      ) : (
        <Skeleton h={280} />
      )}
    </Card>
  )
}
