import '@xterm/xterm/css/xterm.css'
import { ActionIcon, Group, TextInput, useComputedColorScheme } from '@mantine/core'
import { IconMaximize, IconSearch, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RecordingPolicy } from '#schema/remote/recording-policy'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import classes from './remote.module.css'
import { SnippetMenu } from './snippet-menu.tsx'
import { TerminalLine } from './terminal-line.ts'
import { TerminalLogin } from './terminal-login.tsx'
import { terminalThemes } from './terminal-themes.ts'

const FONT = { initial: 14, min: 10, max: 24 }

/** Only addresses of the web, in a window that knows nothing of this one. */
async function followLink(url: string): Promise<void> {
  if (!/^https?:\/\//.test(url)) return
  const sure = await ask({ title: t('remote:link.title'), text: url, verb: t('remote:link.verb') })
  if (sure) window.open(url, '_blank', 'noopener,noreferrer')
}

/** Several lines may run several commands at once: they are shown first. */
async function paste(line: TerminalLine, text: string): Promise<void> {
  const lines = text.trimEnd().split(/\r\n|\r|\n/)
  const sure =
    lines.length < 2 ||
    (await ask({
      title: t('remote:paste.title', { count: lines.length }),
      text: lines.slice(0, 12).join('\n').slice(0, 800),
      verb: t('remote:paste.verb'),
    }))
  if (sure) line.terminal.paste(text)
  line.terminal.focus()
}

function RecordingMark({ line: { recorded, unrecorded } }: { line: TerminalLine }) {
  if (unrecorded !== null) return <StatusChip tone="warning" label={t(`remote:unrecorded.${unrecorded}`)} />
  return recorded ? (
    <StatusChip tone="critical" label={t('remote:recorded')} hint={t('remote:recordedHint')} />
  ) : null
}

type Props = { sessionId: string; deviceId: number; recording: RecordingPolicy; again: () => void }

/** A terminal for one session; scrollback stays through reconnections and new sessions. */
export function TerminalPane({ sessionId, deviceId, recording, again }: Props) {
  const scheme = useComputedColorScheme('light')
  const [size, setSize] = useState(FONT.initial)
  const [sought, setSought] = useState<string | null>(null)
  const [line] = useState(
    () => new TerminalLine(terminalThemes[scheme], FONT.initial, (url) => void followLink(url)),
  )
  useSyncExternalStore(line.watch, line.read)
  const frame = useRef<HTMLDivElement>(null)
  const place = useCallback(
    (node: HTMLDivElement | null) => {
      if (node) line.attach(node)
    },
    [line],
  )
  useEffect(() => {
    line.terminal.options.theme = terminalThemes[scheme]
    line.terminal.options.fontSize = size
    line.fit()
  }, [line, scheme, size])
  useEffect(() => {
    line.follow(sessionId)
  }, [line, sessionId])
  useEffect(() => {
    const node = frame.current
    const resized = new ResizeObserver(() => line.fit())
    if (node) resized.observe(node)
    const pasted = (event: ClipboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      void paste(line, event.clipboardData?.getData('text/plain') ?? '')
    }
    node?.addEventListener('paste', pasted, { capture: true })
    return () => {
      resized.disconnect()
      node?.removeEventListener('paste', pasted, { capture: true })
      // Hidden pages are cleaned up too; only one that was removed has left the document.
      setTimeout(() => node?.isConnected || line.dispose())
    }
  }, [line])
  const zoom = (by: number) => setSize(Math.min(FONT.max, Math.max(FONT.min, size + by)))
  const find = (text: string) => {
    setSought(text)
    line.search.findNext(text, { incremental: true })
  }
  return (
    <div className={classes['terminal']} ref={frame}>
      <Group gap={4} justify="flex-end" className={classes['tools'] ?? ''}>
        {line.state === 'open' ? <RecordingMark line={line} /> : null}
        {line.watchedBy.length > 0 ? (
          <StatusChip
            tone="major"
            label={t('remote:watchedBy', { names: line.watchedBy.map(nameText).join(', ') })}
          />
        ) : null}
        {sought === null ? null : (
          <TextInput
            size="xs"
            autoFocus
            value={sought}
            aria-label={t('remote:search')}
            placeholder={t('remote:search')}
            onChange={({ currentTarget }) => find(currentTarget.value)}
            onKeyDown={({ key, shiftKey }) => {
              if (key === 'Enter') line.search[shiftKey ? 'findPrevious' : 'findNext'](sought)
              if (key === 'Escape') setSought(null)
            }}
          />
        )}
        {line.state === 'open' ? <SnippetMenu line={line} deviceId={deviceId} /> : null}
        {(
          [
            ['search', IconSearch, () => setSought(sought === null ? '' : null)],
            ['smaller', IconZoomOut, () => zoom(-1)],
            ['larger', IconZoomIn, () => zoom(1)],
            ['fullScreen', IconMaximize, () => void frame.current?.requestFullscreen()],
          ] as const
        ).map(([name, Shape, run]) => (
          <ActionIcon key={name} variant="subtle" size={28} aria-label={t(`remote:${name}`)} onClick={run}>
            <Shape size={16} stroke={1.5} />
          </ActionIcon>
        ))}
      </Group>
      <div className={classes['screen']} ref={place} data-testid="terminal" />
      {line.state === 'open' ? null : (
        <TerminalLogin
          state={line.state}
          fault={line.fault}
          willRecord={recording !== 'off'}
          onLogin={(username, password) => line.login(username, password)}
          onConnect={() => void line.connect(sessionId)}
          onAgain={again}
        />
      )}
    </div>
  )
}
