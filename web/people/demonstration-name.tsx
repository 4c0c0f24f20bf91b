import { Group, Text } from '@mantine/core'
import { t } from '../kit/i18n.ts'
import { StatusChip } from '../kit/status-chip.tsx'

/** The name of the demonstration customer, marked as such. */
export const DemonstrationName = ({ name }: { name: string }) => (
  <Group gap={6} wrap="nowrap">
    <Text span size="sm" truncate>
      {name}
    </Text>
    <StatusChip tone="pending" label={t('customer:demonstration.mark')} />
  </Group>
)
