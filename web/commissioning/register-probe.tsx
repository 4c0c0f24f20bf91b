/** Searches a slave for registers, in short pieces, and shows which ones exist. Nothing is written. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { probeRegisters } from '#schema/monitor/commands/commissioning'
import { ADDRESS_MAX, type RegisterType } from '#schema/monitor/fields'
import type { Target } from '../command/commands.ts'
import { t } from '../kit/i18n.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { piecesOf, SearchCard, TableSelect } from './search-card.tsx'
import { useSearch } from './use-search.ts'

type Found = z.output<typeof probeRegisters.reply>['found'][number]
const PIECE = 100

type Props = {
  target: Target
  reason: string | null
  line: Line
  table: RegisterType
  onTable: (table: RegisterType) => void
  onRegisters: (address: number, count: number) => void
}

export function RegisterProbe({ target, reason, line, table, onTable, onRegisters }: Props) {
  const [range, setRange] = useState({ from: 0, to: 99 })
  const search = useSearch<Found>(target, probeRegisters.name)
  // What was found in another table is not in this one.
  const [searched, setSearched] = useState<RegisterType | null>(null)
  const isOfTable = searched === table
  const { unit, timeoutMs } = line
  const start = () => {
    setSearched(table)
    void search.run(
      piecesOf(range, PIECE).map((piece) => ({ ...lineArgs(line), unit, timeoutMs, table, ...piece })),
      (result) =>
        result['outcome'] === 'answered'
          ? (result['found'] as Found[])
          : t(`commissioning:outcome.${result['outcome'] as 'timeout'}`, {
              code: Number(result['exception'] ?? 0),
            }),
    )
  }
  return (
    <SearchCard
      kind="probe"
      max={ADDRESS_MAX}
      range={range}
      onRange={setRange}
      reason={reason}
      search={{ ...search, done: search.done && isOfTable, error: isOfTable ? search.error : null }}
      onStart={start}
      before={<TableSelect table={table} onTable={onTable} />}
      found={runsOf(isOfTable ? search.found : [], table === 'coil' || table === 'discrete').map(
        ({ address, count }) => (
          <Button key={address} size="xs" variant="default" onClick={() => onRegisters(address, count)}>
            {count === 1 ? address : `${address} – ${address + count - 1}`}
          </Button>
        ),
      )}
    />
  )
}

/** As many as one request can read. */
const RUN_MAX = 120
/** Blocks are of ten; smaller, where one of them does not exist. */
const BLOCK = 10
const HEX_BYTE = 2
const HEX_REGISTER = 4

/** Of a gateway that does not count bits, only what surely exists: one byte may hold one to eight. */
function countOf({ data, count }: Found, isBits: boolean): number {
  if (!isBits) return data.length / HEX_REGISTER
  return count ?? (data.length > HEX_BYTE ? BLOCK : 1)
}

/** Neighbouring blocks as one. @param found ascending */
export function runsOf(found: readonly Found[], isBits: boolean): { address: number; count: number }[] {
  const runs: { address: number; count: number }[] = []
  for (const one of found) {
    const { address } = one
    const count = countOf(one, isBits)
    const last = runs.at(-1)
    if (last && last.address + last.count === address && last.count + count <= RUN_MAX) last.count += count
    else runs.push({ address, count })
  }
  return runs
}
