/** A card that searches a range in pieces: its bounds, start and stop, how far it is, and what it has found. */
import { Button, Group, Progress, Select, Text } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { commissionPermission } from '#schema/monitor/commands/commissioning'
import { type RegisterType, registerTypes } from '#schema/monitor/fields'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'

/** Of everything on the page that asks for registers. */
export const TableSelect = ({
  table,
  onTable,
}: {
  table: RegisterType
  onTable: (table: RegisterType) => void
}) => (
  <Select
    label={t('variable:field.registerType')}
    data={registerTypes.map((value) => ({ value, label: t(`variable:registerType.${value}`) }))}
    value={table}
    allowDeselect={false}
    onChange={(value) => value && onTable(value as RegisterType)}
  />
)

export type Range = { from: number; to: number }

/** The range as pieces of at most `length`. */
export function piecesOf({ from, to }: Range, length: number): Range[] {
  const pieces: Range[] = []
  for (let at = from; at <= to; at += length) pieces.push({ from: at, to: Math.min(to, at + length - 1) })
  return pieces
}

type Props = {
  kind: 'scan' | 'probe'
  max: number
  range: Range
  onRange: (range: Range) => void
  /** Why it cannot start. */
  reason: string | null
  search: { busy: boolean; share: number; done: boolean; error: string | null; stop: () => void }
  onStart: () => void
  /** Before the bounds. */
  before?: ReactNode
  /** Buttons of what was found; without any, a text says why there is nothing. */
  found: readonly ReactNode[]
}

export function SearchCard({ kind, max, range, onRange, reason, search, onStart, before, found }: Props) {
  const bound = (key: keyof Range) => (
    <WholeField
      label={t(`commissioning:${kind}.${key}`)}
      w={130}
      value={range[key]}
      min={0}
      max={max}
      onChange={(value) => onRange({ ...range, [key]: value })}
    />
  )
  return (
    <Card title={t(`commissioning:${kind}.title`)}>
      <Group align="end">
        {before}
        {bound('from')}
        {bound('to')}
        {search.busy ? (
          <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={search.stop}>
            {t('commissioning:stop')}
          </Button>
        ) : (
          <ActionButton
            icon={IconSearch}
            label={t(`commissioning:${kind}.start`)}
            permission={commissionPermission}
            reason={reason ?? (range.to < range.from ? t('commissioning:scan.order') : null)}
            onPress={onStart}
          />
        )}
      </Group>
      {reason ? (
        <Text c="dimmed" mt={8}>
          {reason}
        </Text>
      ) : null}
      {search.busy ? (
        <Progress value={search.share * 100} mt="sm" aria-label={t('commissioning:progress')} />
      ) : null}
      <div aria-live="polite" style={{ marginTop: reason ? 0 : 12 }}>
        {search.error ? <Text c="var(--critical)">{search.error}</Text> : null}
        {found.length > 0 ? (
          <Group gap={8}>{found}</Group>
        ) : search.error ? null : (
          <Text c="dimmed">{t(`commissioning:${kind}.${search.done ? 'none' : 'hint'}`)}</Text>
        )}
      </div>
    </Card>
  )
}
