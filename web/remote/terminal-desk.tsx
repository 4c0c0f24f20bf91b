/** The terminals of one session: several, one or two of them shown, each a shell of its own on the device. */
import { CloseButton, Group, UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { IconColumns1, IconColumns2, IconMaximize, IconMinimize, IconPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { RecordingPolicy } from '#schema/remote/recording-policy'
import { SHELLS_MAX } from '#schema/remote/terminal-frame'
import { ActionIconButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { add, close, type Desk, deskOf, frontOf, show, split } from './desk.ts'
import { deskKeys, deskMove } from './desk-keys.ts'
import classes from './remote.module.css'
import { TerminalLine } from './terminal-line.ts'
import { TerminalPane } from './terminal-pane.tsx'
import { terminalThemes } from './terminal-themes.ts'

/** Opens only web addresses, in a window without access to this one. */
async function followLink(url: string): Promise<void> {
  if (!/^https?:\/\//.test(url)) return
  const sure = await ask({ title: t('remote:link.title'), text: url, verb: t('remote:link.verb') })
  if (sure) window.open(url, '_blank', 'noopener,noreferrer')
}

type TabProps = {
  line: TerminalLine
  number: number
  shown: boolean
  onShow: () => void
  onClose?: () => void
}

function DeskTab({ line, number, shown, onShow, onClose }: TabProps) {
  useSyncExternalStore(line.watch, line.read)
  const name = t('remote:desk.name', { number })
  return (
    <div className={classes['deskTab']} data-shown={shown || undefined}>
      <UnstyledButton
        className={classes['deskName'] ?? ''}
        aria-pressed={shown}
        title={line.title || name}
        onClick={onShow}
      >
        <span className={classes['deskState']} data-open={line.state === 'open' || undefined} aria-hidden />
        {name}
        {line.title === '' ? null : <bdi className={classes['deskTitle']}>{line.title}</bdi>}
      </UnstyledButton>
      {onClose ? (
        <CloseButton
          size={24}
          iconSize={12}
          aria-label={t('remote:desk.close', { number })}
          onClick={onClose}
        />
      ) : null}
    </div>
  )
}

/** Of the whole document: dialogs must be seen above the terminals. */
function useFullScreen(): [boolean, () => void] {
  const isFull = useSyncExternalStore(
    (changed) => {
      document.addEventListener('fullscreenchange', changed)
      return () => document.removeEventListener('fullscreenchange', changed)
    },
    () => document.fullscreenElement !== null,
  )
  return [
    isFull,
    () => void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  ]
}

type Props = {
  sessionId: string
  deviceId: number
  recording: RecordingPolicy
  /** Of the session already, when the page begins with it. */
  shells: readonly string[]
  /** Why the session ended; '': it has not. */
  ended: string
  again: () => void
}

/** Tabs, split and what was shown stay through reconnections and new sessions. */
export function TerminalDesk({ shells, ...props }: Props) {
  const scheme = useComputedColorScheme('light')
  const newLine = (shell: string | null = null) =>
    new TerminalLine(terminalThemes[scheme], (url) => void followLink(url), shell)
  const [desk, setDesk] = useState<Desk>(() => deskOf(shells.length))
  const [lines, setLines] = useState<ReadonlyMap<number, TerminalLine>>(
    () => new Map(desk.ids.map((id, i) => [id, newLine(shells[i])])),
  )
  const [isFull, fullScreen] = useFullScreen()
  const frame = useRef<HTMLDivElement>(null)
  const front = frontOf(desk)

  const change = (move: (desk: Desk) => Desk) => {
    const next = move(desk)
    if (next === desk) return
    for (const [id, line] of lines) if (!next.ids.includes(id)) line.end()
    // One that is closed is disposed of by its pane.
    setLines(new Map(next.ids.map((id) => [id, lines.get(id) ?? newLine()])))
    setDesk(next)
  }
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const move = deskMove(event)
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    change(move)
  })
  useEffect(() => {
    const node = frame.current
    const press = (event: KeyboardEvent) => pressed(event)
    // Before the terminal takes it.
    node?.addEventListener('keydown', press, { capture: true })
    return () => node?.removeEventListener('keydown', press, { capture: true })
  }, [])
  useEffect(() => {
    // Who went to a field or a button beside the terminal stays there.
    const isThere = frame.current?.querySelector('[data-front]')?.contains(document.activeElement)
    for (const [id, line] of lines) {
      line.isFront = id === front
      if (line.isFront && line.state === 'open' && !isThere) line.terminal.focus()
    }
  }, [lines, front])

  /** After a reconnection all terminals of an account wait for its password: it is asked for once. */
  const login = (line: TerminalLine, username: string, password: string) => {
    for (const one of lines.values())
      if (one === line || (one.state === 'login' && one.account === username)) one.login(username, password)
  }
  /** What another window has taken over comes back as a whole. */
  const connect = (line: TerminalLine) => {
    const isElsewhere = line.state === 'elsewhere'
    for (const one of lines.values())
      if (one === line || (isElsewhere && one.state === 'elsewhere')) void one.connect(props.sessionId)
  }
  const isFullOf = desk.ids.length >= SHELLS_MAX
  return (
    <div className={classes['desk']} ref={frame} data-full={isFull || undefined}>
      <Group gap={4} wrap="nowrap" className={classes['deskBar'] ?? ''}>
        {/* biome-ignore lint/a11y/useSemanticElements: no fields of a form */}
        <div className={classes['deskTabs']} role="group" aria-label={t('remote:desk.terminals')}>
          {[...lines].map(([id, line], i) => (
            <DeskTab
              key={id}
              line={line}
              number={i + 1}
              shown={id === desk.left || id === desk.right}
              onShow={() => change((now) => show(now, id))}
              {...(lines.size > 1 ? { onClose: () => change((now) => close(now, id)) } : {})}
            />
          ))}
        </div>
        <ActionIconButton
          icon={IconPlus}
          label={`${t('remote:desk.add')} (${deskKeys.add})`}
          reason={isFullOf ? t('remote:desk.most', { most: SHELLS_MAX }) : null}
          onPress={() => change(add)}
        />
        <div className={classes['deskEnd']}>
          <span className={classes['deskSplit']}>
            <ActionIconButton
              icon={desk.right === null ? IconColumns2 : IconColumns1}
              label={`${t(desk.right === null ? 'remote:desk.split' : 'remote:desk.join')} (${deskKeys.split})`}
              onPress={() => change(split)}
            />
          </span>
          <ActionIconButton
            icon={isFull ? IconMinimize : IconMaximize}
            label={t(isFull ? 'remote:desk.small' : 'remote:fullScreen')}
            onPress={fullScreen}
          />
        </div>
      </Group>
      <div className={classes['panes']} data-split={desk.right !== null || undefined}>
        {[...lines].map(([id, line], i) => (
          <TerminalPane
            key={id}
            {...props}
            line={line}
            label={t('remote:desk.name', { number: i + 1 })}
            place={id === desk.left ? 'left' : id === desk.right ? 'right' : null}
            front={id === front}
            onFront={() => change((now) => show(now, id))}
            onLogin={(username, password) => login(line, username, password)}
            onConnect={() => connect(line)}
          />
        ))}
      </div>
    </div>
  )
}
