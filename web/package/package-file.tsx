import '@mantine/dropzone/styles.css'
import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import { IconFileZip, IconUpload, IconX } from '@tabler/icons-react'
import { bytes, duration, percent } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from '../kit/kit.module.css'
import type { BrokenUpload, UploadState } from './archive-upload-run.ts'
import { isTarGz } from './package-guess.ts'

/** Why a file is rejected before uploading; null: accepted. The server checks its content. */
function refused(file: File, maxBytes: number): string | null {
  if (!isTarGz(file.name)) return t('package:upload.onlyTarGz')
  if (file.size > maxBytes) return t('package:upload.tooLarge', { max: bytes(maxBytes) })
  return file.size === 0 ? t('package:upload.emptyFile') : null
}

type Props = {
  file: File | null
  error: string | null
  disabled: boolean
  maxBytes: number
  /** What is accepted. */
  hint: string
  onChoose: (file: File | null, refused: string | null) => void
}

/** Drag and drop, or a click; the selected file is shown in its place. */
export function PackageFile({ file, error, disabled, maxBytes, hint, onChoose }: Props) {
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    const why = refused(chosen, maxBytes)
    onChoose(why ? null : chosen, why)
  }
  return (
    <div>
      {file ? (
        <div className={classes['entryBox']}>
          <IconFileZip size={20} stroke={1.5} style={{ flex: 'none' }} />
          <div>
            <Text fw={600} truncate>
              {file.name}
            </Text>
            <Text size="xs" c="dimmed">
              {bytes(file.size)}
            </Text>
          </div>
          {disabled ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('package:upload.removeFile')}
              onClick={() => onChoose(null, null)}
            >
              <IconX size={16} stroke={1.5} />
            </ActionIcon>
          )}
        </div>
      ) : (
        <Dropzone
          multiple={false}
          onDropAny={(files: File[], rejections: FileRejection[]) => take(files[0] ?? rejections[0]?.file)}
          onDrop={() => undefined}
          inputProps={{ accept: '.tar.gz,.gz,application/gzip', 'aria-label': t('package:upload.choose') }}
          aria-label={t('package:upload.choose')}
          radius="sm"
          p="md"
        >
          <Group gap={12} wrap="nowrap" style={{ pointerEvents: 'none' }}>
            <IconUpload size={28} stroke={1.5} color="var(--text-3)" style={{ flex: 'none' }} />
            <div>
              <Text fw={600}>{t('package:upload.drop')}</Text>
              {/* Dimmed text would be too faint on what is pointed at. */}
              <Text size="xs" c="var(--text-2)">
                {hint}
              </Text>
            </div>
          </Group>
        </Dropzone>
      )}
      {error ? (
        <Text size="xs" c="var(--critical)" mt={4} role="alert">
          {error}
        </Text>
      ) : null}
    </div>
  )
}

type Sending = { state: UploadState | null; broken: BrokenUpload | null; cancel: () => void }
type ProgressProps = { sending: Sending; sizeBytes: number; onAgain: () => void }

/** How far an upload is, or how far it came before the connection broke; nothing before it begins. */
export function UploadProgress({ sending: { state, broken, cancel }, sizeBytes, onAgain }: ProgressProps) {
  if (state) return <Running state={state} sizeBytes={sizeBytes} onCancel={cancel} />
  return broken ? <Broken broken={broken} onAgain={onAgain} /> : null
}

/** Share, speed and time left; when everything is sent the server is still checking. */
function Running({
  state,
  sizeBytes,
  onCancel,
}: {
  state: UploadState
  sizeBytes: number
  onCancel: () => void
}) {
  const sent = state.share >= 1
  const speed = state.bytesPerS === null ? '' : ` · ${bytes(Math.round(state.bytesPerS))}/s`
  const left = state.leftS === null ? '' : ` · ${t('package:upload.left', { time: duration(state.leftS) })}`
  return (
    <div>
      <Progress
        value={state.share * 100}
        size="lg"
        animated={sent}
        aria-label={t('package:upload.progress')}
        transitionDuration={200}
      />
      <Group justify="space-between" gap={8} mt={4} wrap="nowrap">
        <Text size="xs" c="dimmed" className="tabular" aria-live="polite">
          {sent
            ? t('package:upload.checking')
            : `${percent(Math.floor(state.share * 100))} · ${bytes(Math.round(state.share * sizeBytes))}${speed}${left}`}
        </Text>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onCancel}>
          {t('package:upload.stop')}
        </Button>
      </Group>
    </div>
  )
}

/** How far it came, and the way to start again with the same file and the same entries. */
function Broken({
  broken: { sentBytes, totalBytes },
  onAgain,
}: {
  broken: BrokenUpload
  onAgain: () => void
}) {
  const share = Math.floor((100 * sentBytes) / totalBytes)
  return (
    <div role="alert">
      <Progress value={share} size="lg" color="red" aria-label={t('package:upload.progress')} />
      <Group justify="space-between" gap={8} mt={4} wrap="nowrap" align="flex-start">
        <Text size="xs" c="var(--critical)" className="tabular">
          {t('package:upload.broke', {
            share: percent(share),
            sent: bytes(Math.round(sentBytes)),
            total: bytes(totalBytes),
          })}
        </Text>
        <Button size="compact-sm" variant="light" style={{ flex: 'none' }} onClick={onAgain}>
          {t('package:upload.again')}
        </Button>
      </Group>
    </div>
  )
}
