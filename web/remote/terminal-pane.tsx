import '@xterm/xterm/css/xterm.css'
import { Code, Group, TextInput, useComputedColorScheme } from '@mantine/core'
import { IconEye, IconPlayerRecord, IconSearch, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { RecordingPolicy } from '#schema/remote/recording-policy'
import { ActionIconButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import type { Side } from './desk.ts'
import classes from './remote.module.css'
import { SnippetMenu } from './snippet-menu.tsx'
import { FONT_SIZE, type TerminalLine } from './terminal-line.ts'
import { TerminalLogin } from './terminal-login.tsx'
import { frameOf, terminalThemes } from './terminal-themes.ts'

const FONT = { initial: FONT_SIZE, min: 10, max: 24 }

/**
 * Several lines may run several commands at once: they are shown first. A single one runs when its user presses Enter,
 * not by a line break that came along, and invisible keys, such as Escape, are left out.
 */
async function paste(line: TerminalLine, copied: string): Promise<void> {
  const seen = copied.replace(/(?![\t\r\n])\p{Cc}/gu, '')
  const lines = seen.trimEnd().split(/\r\n|\r|\n/)
  const text = lines.length < 2 ? seen.replace(/[\r\n]+$/, '') : seen
  const sure =
    lines.length < 2 ||
    (await ask({
      title: t('remote:paste.title', { count: lines.length }),
      text: (
        <Code block className={classes['pasted'] ?? ''}>
          {lines.slice(0, 12).join('\n').slice(0, 800)}
          {lines.length > 12 ? '\n…' : ''}
        </Code>
      ),
      verb: t('remote:paste.verb'),
    }))
  if (sure) line.terminal.paste(text)
  line.terminal.focus()
}

function RecordingMark({ line: { recorded, unrecorded } }: { line: TerminalLine }) {
  if (unrecorded !== null) return <StatusChip tone="warning" label={t(`remote:unrecorded.${unrecorded}`)} />
  return recorded ? (
    <StatusChip
      tone="critical"
      label={t('remote:recorded')}
      hint={t('remote:recordedHint')}
      Shape={IconPlayerRecord}
    />
  ) : null
}

type Props = {
  line: TerminalLine
  sessionId: string
  deviceId: number
  recording: RecordingPolicy
  /** Of its tab. */
  label: string
  /** null: behind the others. */
  place: Side | null
  front: boolean
  onFront: () => void
  onLogin: (username: string, password: string) => void
  onConnect: () => void
  ended: string
  again: () => void
}

/** One terminal; scrollback stays through reconnections and new sessions. */
export function TerminalPane(props: Props) {
  const {
    line,
    sessionId,
    deviceId,
    recording,
    label,
    place: side,
    front,
    onFront,
    onLogin,
    onConnect,
    ended,
    again,
  } = props
  const scheme = useComputedColorScheme('light')
  const [size, setSize] = useState(FONT.initial)
  const [sought, setSought] = useState<string | null>(null)
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
      // The fields of the login and of the search, which are beside the terminal, keep what is pasted into them.
      if (!line.terminal.element?.contains(event.target as Node)) return
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
  const endSearch = () => {
    setSought(null)
    line.search.clearDecorations()
    line.terminal.focus()
  }
  const find = (text: string) => {
    setSought(text)
    line.search.findNext(text, { incremental: true })
  }
  return (
    <section
      className={classes['terminal']}
      ref={frame}
      aria-label={label}
      data-place={side ?? undefined}
      data-front={front || undefined}
      onFocus={() => front || onFront()}
    >
      <Group gap={4} justify="flex-end" className={classes['tools'] ?? ''}>
        {line.state === 'open' ? <RecordingMark line={line} /> : null}
        {line.state === 'open' && line.watchedBy.length > 0 ? (
          <StatusChip
            tone="major"
            Shape={IconEye}
            label={t('remote:watchedBy', { names: line.watchedBy.map(nameText).join(t('kit:comma')) })}
          />
        ) : null}
        {sought === null ? null : (
          <TextInput
            size="xs"
            autoFocus
            className={classes['search'] ?? ''}
            value={sought}
            aria-label={t('remote:search')}
            placeholder={t('remote:search')}
            onChange={({ currentTarget }) => find(currentTarget.value)}
            onKeyDown={({ key, shiftKey }) => {
              if (key === 'Enter') line.search[shiftKey ? 'findPrevious' : 'findNext'](sought)
              if (key === 'Escape') endSearch()
            }}
          />
        )}
        {/* They stay together where the line breaks. */}
        <Group gap={4} wrap="nowrap">
          {line.state === 'open' ? <SnippetMenu line={line} deviceId={deviceId} /> : null}
          {(
            [
              ['search', IconSearch, () => (sought === null ? setSought('') : endSearch())],
              ['smaller', IconZoomOut, () => zoom(-1)],
              ['larger', IconZoomIn, () => zoom(1)],
            ] as const
          ).map(([name, Shape, run]) => (
            <ActionIconButton key={name} icon={Shape} label={t(`remote:${name}`)} onPress={run} />
          ))}
        </Group>
      </Group>
      <div className={classes['screen']} style={frameOf(scheme)} ref={place} data-testid="terminal" />
      {line.state === 'open' || line.isJoining ? null : (
        <TerminalLogin
          state={line.state}
          fault={line.fault}
          willRecord={recording !== 'off'}
          ended={ended}
          onLogin={onLogin}
          onConnect={onConnect}
          onAgain={again}
        />
      )}
    </section>
  )
}
