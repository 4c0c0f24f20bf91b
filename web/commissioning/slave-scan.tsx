/** Searches a line for slaves, in short pieces: it can be stopped, and shows what it has found so far. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { scanSlaves } from '#schema/monitor/commands/commissioning'
import type { RegisterType } from '#schema/monitor/fields'
import type { Target } from '../command/commands.ts'
import { t } from '../kit/i18n.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { piecesOf, SearchCard } from './search-card.tsx'
import { useSearch } from './use-search.ts'

type Found = z.output<typeof scanSlaves.reply>['found'][number]
/** Fewer than a gateway takes at once, so that something is seen soon. */
const PIECE = 16
const UNIT_MAX = 255

type Props = {
  target: Target
  reason: string | null
  line: Line
  table: RegisterType
  address: number
  onUnit: (unit: number) => void
}

const said = ({ exception, data }: Found) =>
  exception === undefined ? (data ?? '') : t('commissioning:exception', { code: exception })

export function SlaveScan({ target, reason, line, table, address, onUnit }: Props) {
  const [range, setRange] = useState({ from: 1, to: 32 })
  const search = useSearch<Found>(target, scanSlaves.name)
  const start = () =>
    void search.run(
      piecesOf(range, PIECE).map((piece) => ({ ...lineArgs(line), ...piece, table, address })),
      (result) =>
        result['path'] === false ? t('commissioning:outcome.noPath') : (result['found'] as Found[]),
    )
  return (
    <SearchCard
      kind="scan"
      max={UNIT_MAX}
      range={range}
      onRange={setRange}
      reason={reason}
      search={search}
      onStart={start}
      found={search.found.map((slave) => (
        <Button key={slave.unit} size="xs" variant="default" onClick={() => onUnit(slave.unit)}>
          {t('commissioning:scan.slave', { unit: slave.unit, said: said(slave), ms: slave.tookMs })}
        </Button>
      ))}
    />
  )
}
