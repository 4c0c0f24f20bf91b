import { Modal, Skeleton, Stack, Text } from '@mantine/core'
import { getBackupFiles, type getBackupList } from '#schema/device/backup'
import { OutputPane } from '../command/output-pane.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { compareFiles, type FileDiff } from './backup-diff.ts'
import classes from './device-detail.module.css'

export type Backup = Row<typeof getBackupList>

/** A stored backup never changes. */
const STALE_MS = 600_000
const tones: Record<FileDiff['change'], Tone> = { added: 'online', removed: 'critical', changed: 'pending' }

function Differences({ files, complete }: { files: readonly FileDiff[]; complete: boolean }) {
  if (files.length === 0) return <Empty title={t('detail:diff.same')} text={t('detail:diff.sameText')} />
  return (
    <Stack gap="sm">
      {complete ? null : <Text c="var(--warning)">{t('detail:diff.incomplete')}</Text>}
      {files.map(({ path, change, lines }) => (
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
            <Text c="dimmed">{t('detail:diff.unreadable')}</Text>
          )}
        </Card>
      ))}
    </Stack>
  )
}

/** Two backups side by side, the older one first. */
export function BackupDiff({ backups, onClose }: { backups: readonly Backup[]; onClose: () => void }) {
  const [old, now] = backups
  const before = useCall(getBackupFiles, { backupId: old?.backupId ?? '' }, { staleMs: STALE_MS })
  const after = useCall(getBackupFiles, { backupId: now?.backupId ?? '' }, { staleMs: STALE_MS })
  const failed = before.error ?? after.error
  return (
    <Modal
      opened
      onClose={onClose}
      size={960}
      title={t('detail:diff.title', {
        before: moment(old?.createdAt ?? ''),
        after: moment(now?.createdAt ?? ''),
      })}
    >
      {failed ? <ErrorBar error={failed} /> : null}
      {before.data && after.data ? (
        <Differences
          files={compareFiles(before.data.files, after.data.files)}
          complete={before.data.complete && after.data.complete}
        />
      ) : failed ? null : (
        <Skeleton h={240} />
      )}
    </Modal>
  )
}
