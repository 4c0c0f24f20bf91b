import '@xterm/xterm/css/xterm.css'
import { Button, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import classes from './remote.module.css'
import { frameOf, terminalThemes } from './terminal-themes.ts'
import { WatchLine } from './watch-line.ts'
import type { WatchState } from './watch-state.ts'

const tones: Record<WatchState, Tone> = {
  connecting: 'pending',
  waiting: 'pending',
  live: 'online',
  away: 'warning',
  unreached: 'warning',
  over: 'offline',
}

/** The terminal of another user, read-only; they see who watches. */
export function WatchPane({ sessionId }: { sessionId: string }) {
  const scheme = useComputedColorScheme('light')
  const [line] = useState(() => new WatchLine(terminalThemes[scheme]))
  useSyncExternalStore(line.watch, line.read)
  useEffect(() => {
    line.terminal.options.theme = terminalThemes[scheme]
  }, [line, scheme])
  useEffect(() => {
    void line.connect(sessionId)
    return () => {
      line.close()
      // Hidden pages are cleaned up too; only one that was removed has left the document.
      setTimeout(() => line.isShown || line.dispose())
    }
  }, [line, sessionId])
  const place = useCallback(
    (node: HTMLDivElement | null) => {
      if (node) line.attach(node)
    },
    [line],
  )
  const { state } = line
  // A connection that was refused has a reason; one that the network did not carry has none.
  const fault = line.fault ?? (state === 'unreached' ? t('watch:noConnection') : null)
  const never = state === 'unreached'
  return (
    <div className={classes['replay']}>
      <Group gap={8} className={classes['tools'] ?? ''}>
        <StatusChip tone={tones[state]} label={t(`watch:state.${state}`)} />
        <Text size="xs" c="dimmed">
          {fault ? null : t('watch:readOnly')}
        </Text>
        {state === 'away' || never ? (
          <Button size="compact-xs" variant="default" onClick={() => void line.connect(sessionId)}>
            {t('watch:again')}
          </Button>
        ) : null}
      </Group>
      {fault ? <Empty title={fault} /> : null}
      <div
        className={classes['replayScreen']}
        style={frameOf(scheme)}
        ref={place}
        hidden={never}
        data-testid="watch"
      />
    </div>
  )
}
