import { Skeleton, Stack, Text } from '@mantine/core'
import { getBackupFiles, type getBackupList } from '#schema/device/backup'
import { OutputPane } from '../command/output-pane.tsx'
import classes from '../device/device-detail.module.css'
import { Card } from '../kit/card.tsx'
import { Modal } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { Facts } from '../kit/facts.tsx'
import { moment, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { compareFiles, type FileDiff, type FileFacts } from './backup-diff.ts'

export type Backup = Row<typeof getBackupList>

/** A stored backup never changes. */
const STALE_MS = 600_000
const HASH_SHOWN = 12
const tones: Record<FileDiff['change'], Tone> = { added: 'online', removed: 'critical', changed: 'pending' }

const factText = (file: FileFacts | null) =>
  file ? `${number(file.sizeBytes)} B · SHA-256 ${file.sha256.slice(0, HASH_SHOWN)}…` : UNKNOWN

/** Size and checksum of the two, where there is no text to compare. */
const BeforeAfter = ({ before, after }: { before: FileFacts | null; after: FileFacts | null }) => (
  <Facts
    width={280}
    facts={[
      { label: t('detail:diff.before'), value: factText(before) },
      { label: t('detail:diff.after'), value: factText(after) },
    ]}
  />
)

const archiveOf = ({ sizeBytes, sha256 }: Backup): FileFacts | null =>
  sizeBytes === null || sha256 === null ? null : { sizeBytes, sha256 }

/** The same files in two archives that are not equal byte by byte. */
function SameFiles({ backups, count }: { backups: readonly [Backup, Backup]; count: number }) {
  const [old, now] = backups
  if (old.sha256 === now.sha256)
    return <Empty title={t('detail:diff.same')} text={t('detail:diff.sameText', { count })} />
  return (
    <Stack gap="sm">
      <Empty title={t('detail:diff.sameFiles')} text={t('detail:diff.sameFilesText', { count })} />
      <BeforeAfter before={archiveOf(old)} after={archiveOf(now)} />
    </Stack>
  )
}

type Compared = {
  backups: readonly [Backup, Backup]
  files: readonly FileDiff[]
  count: number
  complete: boolean
}

function Differences({ backups, files, count, complete }: Compared) {
  if (files.length === 0 && complete) return <SameFiles backups={backups} count={count} />
  return (
    <Stack gap="sm">
      {complete ? null : <Text c="var(--warning)">{t('detail:diff.incomplete')}</Text>}
      {files.map(({ path, change, lines, before, after }) => (
        <Card
          key={path}
          title={<span style={{ fontFamily: 'var(--font-mono)' }}>{path}</span>}
          side={<StatusChip tone={tones[change]} label={t(`detail:diffChange.${change}`)} />}
        >
          {lines ? (
            <OutputPane label={path}>
              {lines.map(({ kind, text }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and never move
                <span key={i} className={classes['diffLine']} data-kind={kind}>
                  {text || ' '}
                </span>
              ))}
            </OutputPane>
          ) : (
            <Stack gap={4}>
              <Text c="dimmed">{t('detail:diff.unreadable')}</Text>
              <BeforeAfter before={before} after={after} />
            </Stack>
          )}
        </Card>
      ))}
    </Stack>
  )
}

type Props = { backups: readonly [Backup, Backup]; onClose: () => void }

/** What differs between two backups: from the first to the second. */
export function BackupDifferences({ backups }: Pick<Props, 'backups'>) {
  const [old, now] = backups
  const before = useCall(getBackupFiles, { backupId: old.backupId }, { staleMs: STALE_MS })
  const after = useCall(getBackupFiles, { backupId: now.backupId }, { staleMs: STALE_MS })
  const failed = before.error ?? after.error
  return (
    <>
      {failed ? <ErrorBar error={failed} /> : null}
      {before.data && after.data ? (
        <Differences
          backups={backups}
          count={after.data.files.length}
          files={compareFiles(before.data.files, after.data.files)}
          complete={before.data.complete && after.data.complete}
        />
      ) : failed ? null : (
        <Skeleton h={240} />
      )}
    </>
  )
}

/** Two backups side by side, the older one first. */
export function BackupDiff({ backups, onClose }: Props) {
  const [old, now] = backups
  return (
    <Modal
      opened
      onClose={onClose}
      size={960}
      title={t('detail:diff.title', {
        before: moment(old.createdAt),
        after: moment(now.createdAt),
      })}
    >
      <BackupDifferences backups={backups} />
    </Modal>
  )
}
