import { Badge, Text } from '@mantine/core'
import type { getPackageList, PackageType } from '#schema/task/package'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { StatusChip } from '../kit/status-chip.tsx'

export type PackageRow = Row<typeof getPackageList>

/** Whether the file servers serve the package, and if not, why. */
export function SyncChip({ row }: { row: Pick<PackageRow, 'syncedAt' | 'syncError'> }) {
  if (row.syncedAt)
    return (
      <StatusChip
        tone="online"
        label={t('package:sync.synced')}
        hint={t('package:sync.syncedAt', { at: moment(row.syncedAt) })}
      />
    )
  if (row.syncError)
    return (
      <div>
        <StatusChip tone="critical" label={t('package:sync.failed')} hint={row.syncError} />
        <Text size="xs" c="dimmed" truncate maw={120} title={row.syncError}>
          {row.syncError}
        </Text>
      </div>
    )
  return <StatusChip tone="pending" label={t('package:sync.waiting')} hint={t('package:sync.waitingHint')} />
}

export function TypeBadge({ type }: { type: PackageType }) {
  return (
    <Badge
      variant="outline"
      color="gray"
      c="var(--text-2)"
      tt="none"
      fw={400}
      radius="sm"
      bd="1px solid var(--border)"
      display="flex"
      w="fit-content"
    >
      {t(`package:type.${type}`)}
    </Badge>
  )
}

/** "All users", or the customer's name. */
export const visibilityText = (row: Pick<PackageRow, 'visibility' | 'customerName'>) =>
  row.visibility === 'customer' && row.customerName
    ? row.customerName
    : t(`package:visibility.${row.visibility}`)
