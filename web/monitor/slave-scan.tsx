/** Searches a line for slaves, in short pieces: it can be stopped, and shows what it has found so far. */
import { Button, Group, NumberInput, Progress, Text } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { commissionPermission, scanSlaves } from '#schema/monitor/commands/commissioning'
import type { RegisterType } from '#schema/monitor/fields'
import type { Target } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { useSearch } from './use-search.ts'

type Found = z.output<typeof scanSlaves.reply>['found'][number]
/** Fewer than a gateway takes at once, so that something is seen soon. */
const PIECE = 16

type Props = {
  target: Target
  reason: string | null
  line: Line
  table: RegisterType
  address: number
  onUnit: (unit: number) => void
}

export function SlaveScan({ target, reason, line, table, address, onUnit }: Props) {
  const [range, setRange] = useState({ from: 1, to: 32 })
  const search = useSearch<Found>(target, scanSlaves.name)
  const start = () => {
    const pieces = []
    for (let from = range.from; from <= range.to; from += PIECE)
      pieces.push({ ...lineArgs(line), from, to: Math.min(range.to, from + PIECE - 1), table, address })
    void search.run(pieces, (result) =>
      result['path'] === false ? t('commissioning:outcome.noPath') : (result['found'] as Found[]),
    )
  }
  const bound = (key: 'from' | 'to') => (
    <NumberInput
      label={t(`commissioning:scan.${key}`)}
      w={110}
      value={range[key]}
      min={0}
      max={255}
      allowDecimal={false}
      onChange={(value) => setRange({ ...range, [key]: Number(value) })}
    />
  )
  return (
    <Card title={t('commissioning:scan.title')}>
      <Group align="end">
        {bound('from')}
        {bound('to')}
        {search.busy ? (
          <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={search.stop}>
            {t('commissioning:stop')}
          </Button>
        ) : (
          <ActionButton
            icon={IconSearch}
            label={t('commissioning:scan.start')}
            permission={commissionPermission}
            reason={reason ?? (range.to < range.from ? t('commissioning:scan.order') : null)}
            onPress={start}
          />
        )}
      </Group>
      {search.busy ? (
        <Progress value={search.share * 100} mt="sm" aria-label={t('commissioning:progress')} />
      ) : null}
      <div aria-live="polite" style={{ marginTop: 12 }}>
        {search.error ? <Text c="var(--critical)">{search.error}</Text> : null}
        {search.found.length > 0 ? (
          <Group gap={8}>
            {search.found.map(({ unit, exception, data, tookMs }) => (
              <Button key={unit} size="xs" variant="default" onClick={() => onUnit(unit)}>
                {t('commissioning:scan.slave', {
                  unit,
                  said:
                    exception === undefined
                      ? (data ?? '')
                      : t('commissioning:exception', { code: exception }),
                  ms: tookMs,
                })}
              </Button>
            ))}
          </Group>
        ) : search.done ? (
          <Text c="dimmed">{t('commissioning:scan.none')}</Text>
        ) : (
          <Text c="dimmed">{t('commissioning:scan.hint')}</Text>
        )}
      </div>
    </Card>
  )
}
