import { Text } from '@mantine/core'
import type { getOperationList } from '#schema/platform/operation'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'

export type OperationRow = Row<typeof getOperationList>

const tones: Record<OperationRow['result'], Tone> = { done: 'online', refused: 'warning', fault: 'critical' }

export const whoText = (row: Pick<OperationRow, 'platform' | 'username'>) =>
  row.platform ? t('operation:platform') : (row.username ?? t('operation:nobody'))

export function ResultChip({ row }: { row: Pick<OperationRow, 'result' | 'code'> }) {
  return <StatusChip tone={tones[row.result]} label={t(`operation:result.${row.result}`)} />
}

export function Who({ row }: { row: Pick<OperationRow, 'platform' | 'username'> }) {
  return (
    <Text span {...(row.platform || row.username === null ? { c: 'dimmed' } : {})}>
      {whoText(row)}
    </Text>
  )
}
