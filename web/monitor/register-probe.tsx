/** Searches a slave for registers, in short pieces, and shows which ones exist. Nothing is written. */
import { Button, Group, NumberInput, Progress, Text } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { commissionPermission, probeRegisters } from '#schema/monitor/commands/commissioning'
import { ADDRESS_MAX, type RegisterType } from '#schema/monitor/fields'
import type { Target } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { useSearch } from './use-search.ts'

type Found = z.output<typeof probeRegisters.reply>['found'][number]
const PIECE = 100

type Props = {
  target: Target
  reason: string | null
  line: Line
  table: RegisterType
  onRegisters: (address: number, count: number) => void
}

export function RegisterProbe({ target, reason, line, table, onRegisters }: Props) {
  const [range, setRange] = useState({ from: 0, to: 99 })
  const search = useSearch<Found>(target, probeRegisters.name)
  const start = () => {
    const { unit, timeoutMs } = line
    const pieces = []
    for (let from = range.from; from <= range.to; from += PIECE) {
      const to = Math.min(range.to, from + PIECE - 1)
      pieces.push({ ...lineArgs(line), unit, timeoutMs, table, from, to })
    }
    void search.run(pieces, (result) =>
      result['outcome'] === 'answered'
        ? (result['found'] as Found[])
        : t(`commissioning:outcome.${result['outcome'] as 'timeout'}`, {
            code: Number(result['exception'] ?? 0),
          }),
    )
  }
  const bound = (key: 'from' | 'to') => (
    <NumberInput
      label={t(`commissioning:probe.${key}`)}
      w={130}
      value={range[key]}
      min={0}
      max={ADDRESS_MAX}
      allowDecimal={false}
      onChange={(value) => setRange({ ...range, [key]: Number(value) })}
    />
  )
  const isBits = table === 'coil' || table === 'discrete'
  const runs = joined(search.found, isBits)
  return (
    <Card title={t('commissioning:probe.title')}>
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
            label={t('commissioning:probe.start')}
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
        <Group gap={8}>
          {runs.map(({ address, count }) => (
            <Button key={address} size="xs" variant="default" onClick={() => onRegisters(address, count)}>
              {count === 1 ? address : `${address} – ${address + count - 1}`}
            </Button>
          ))}
        </Group>
        {runs.length === 0 ? (
          <Text c="dimmed">{t(search.done ? 'commissioning:probe.none' : 'commissioning:probe.hint')}</Text>
        ) : null}
      </div>
    </Card>
  )
}

/** Neighbouring blocks as one, as long as one request can read them. */
function joined(found: readonly Found[], isBits: boolean): { address: number; count: number }[] {
  const runs: { address: number; count: number }[] = []
  for (const { address, data } of found) {
    const count = isBits ? 10 : data.length / 4
    const last = runs.at(-1)
    if (last && last.address + last.count === address && last.count + count <= 120) last.count += count
    else runs.push({ address, count })
  }
  return runs
}
