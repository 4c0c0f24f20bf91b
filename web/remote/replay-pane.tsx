import '@xterm/xterm/css/xterm.css'
import { Alert, ScrollArea, Text, TextInput, UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { downloadRecording } from '#schema/remote/recording'
import type { RecordingState } from '#schema/remote/recording-policy'
import { t } from '../kit/i18n.ts'
import { fetchFile } from '../kit/transfer.ts'
import { type Cast, findIn, playTime, readCast } from './cast.ts'
import { CastPlayer } from './cast-player.ts'
import classes from './remote.module.css'
import { ReplayControls } from './replay-controls.tsx'
import { frameOf, terminalThemes } from './terminal-themes.ts'

function Warning({ text }: { text: string }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} role="alert">
      {text}
    </Alert>
  )
}

function Search({ player }: { player: CastPlayer }) {
  const [sought, setSought] = useState('')
  const found = findIn(player.cast, sought)
  const to = (at: number) => {
    player.pause()
    player.seek(at)
  }
  return (
    <div className={classes['found']}>
      <TextInput
        size="xs"
        leftSection={<IconSearch size={14} />}
        value={sought}
        aria-label={t('recording:find')}
        placeholder={t('recording:find')}
        onChange={({ currentTarget }) => setSought(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && found[0] && to(found[0].at)}
      />
      {sought.trim() === '' ? null : (
        <>
          <Text size="xs" c="dimmed" role="status">
            {t('recording:found', { count: found.length })}
          </Text>
          <ScrollArea.Autosize mah={160} type="auto">
            {found.map(({ at, line }, i) => (
              <UnstyledButton
                // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never change
                key={i}
                className={classes['line'] ?? ''}
                onClick={() => to(at)}
              >
                <span className="tabular">{playTime(at)}</span> {line}
              </UnstyledButton>
            ))}
          </ScrollArea.Autosize>
        </>
      )}
    </div>
  )
}

function Player({ cast }: { cast: Cast }) {
  const scheme = useComputedColorScheme('light')
  const [player] = useState(() => new CastPlayer(cast, terminalThemes[scheme]))
  useSyncExternalStore(player.watch, player.read)
  useEffect(() => {
    player.terminal.options.theme = terminalThemes[scheme]
  }, [player, scheme])
  const place = useCallback(
    (node: HTMLDivElement | null) => {
      if (node && player.attach(node)) player.play()
    },
    [player],
  )
  useEffect(
    () => () => {
      player.pause()
      // Hidden pages are cleaned up too; only one that was removed has left the document.
      setTimeout(() => player.isShown || player.dispose())
    },
    [player],
  )
  return (
    <>
      <div className={classes['replay']}>
        <div className={classes['replayScreen']} style={frameOf(scheme)} ref={place} data-testid="replay" />
        <ReplayControls player={player} />
      </div>
      <Search player={player} />
    </>
  )
}

type Props = { recordingId: string; state: RecordingState }

export function ReplayPane({ recordingId, state }: Props) {
  const [cast, setCast] = useState<Cast | null | undefined>(undefined)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    setFault(null)
    fetchFile(downloadRecording, { recordingId })
      .then((file) => file.text())
      .then(
        (text) => gone || setCast(readCast(text)),
        (error: unknown) => gone || setFault(error instanceof Error ? error.message : String(error)),
      )
    return () => {
      gone = true
    }
  }, [recordingId])
  if (fault !== null) return <Warning text={fault} />
  if (cast === undefined) return <Text c="dimmed">{t('kit:loading')}</Text>
  if (cast === null) return <Warning text={t('recording:unreadable')} />
  return (
    <>
      {state === 'ended' ? null : <Warning text={t(`recording:stateHint.${state}`)} />}
      <Player cast={cast} />
    </>
  )
}
