/** Reads registers once, or again and again, and shows the frames as they went over the line. */
import { Button, Group, Switch, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { commissionPermission, type RawRead, readRegisters } from '#schema/monitor/commands/commissioning'
import { ADDRESS_MAX, type RegisterType } from '#schema/monitor/fields'
import { bytesOfHex } from '#schema/monitor/modbus/hex'
import { commandText } from '../command/command-banner.tsx'
import type { Target } from '../command/commands.ts'
import { OutputPane } from '../command/output-pane.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { type Chosen, RegisterViews } from './register-views.tsx'
import { runCommand } from './run-command.ts'
import { TableSelect } from './search-card.tsx'

export type Range = { table: RegisterType; address: number; count: number }
/** One answer is on its way for about a second. */
const AGAIN_MS = 2_500

type Props = {
  target: Target
  reason: string | null
  line: Line
  range: Range
  setRange: (range: Range) => void
  /** @param table that was read; another one may have been chosen since */
  onChoose: (chosen: Chosen, table: RegisterType) => void
}

const spaced = (hex: string) => hex.replace(/../g, '$& ').trim()

export function RegisterRead({ target, reason, line, range, setRange, onChoose }: Props) {
  const [answer, setAnswer] = useState<{ read: RawRead; range: Range } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [looked, setLooked] = useState(0)
  const left = useRef(new AbortController())
  useEffect(() => {
    left.current = new AbortController()
    return () => left.current.abort()
  }, [])
  const read = async () => {
    if (busy) return
    setBusy(true)
    setError(null)
    const { unit, timeoutMs } = line
    const args = { ...lineArgs(line), unit, timeoutMs, ...range }
    const row = await runCommand(target, readRegisters.name, args, left.current.signal).catch(
      (error: Error) => error,
    )
    setBusy(false)
    if (!row || left.current.signal.aborted) return
    if (row instanceof Error) setError(row.message)
    else if (row.result) setAnswer({ read: row.result as RawRead, range })
    else setError(commandText(row, serverNow()))
  }
  // Nothing is sent while nothing can be read; it goes on by itself, for example when the gateway is online again.
  const again = useInterval(() => {
    if (reason === null) void read()
  }, AGAIN_MS)
  useEffect(() => again.stop, [again.stop])
  const isBits = range.table === 'coil' || range.table === 'discrete'
  const bytes = answer?.read.data ? bytesOfHex(answer.read.data) : null
  const rows = answer && bytes ? registersIn(answer.range, bytes) : []
  const first = rows.some(({ address }) => address === looked) ? looked : (answer?.range.address ?? 0)
  return (
    <>
      <Card title={t('commissioning:read.title')}>
        <Group align="end">
          <TableSelect table={range.table} onTable={(table) => setRange({ ...range, table })} />
          <WholeField
            label={t('variable:field.address')}
            w={130}
            value={range.address}
            min={0}
            max={ADDRESS_MAX}
            onChange={(address) => setRange({ ...range, address })}
          />
          <WholeField
            label={t('commissioning:read.count')}
            w={110}
            value={range.count}
            min={1}
            max={isBits ? 2_000 : 125}
            onChange={(count) => setRange({ ...range, count })}
          />
          <ActionButton
            rank="primary"
            icon={IconPlayerPlay}
            label={t('commissioning:read.start')}
            permission={commissionPermission}
            reason={reason}
            busy={busy}
            onPress={() => void read()}
          />
          <Switch
            // In the middle of the inputs beside it.
            mb={6}
            label={t('commissioning:read.again')}
            checked={again.active}
            disabled={reason !== null && !again.active}
            onChange={again.toggle}
          />
        </Group>
        {reason ? (
          <Text c="dimmed" mt={8}>
            {reason}
          </Text>
        ) : null}
        <div aria-live="polite" style={{ marginTop: reason ? 0 : 12 }}>
          {error ? <Text c="var(--critical)">{error}</Text> : null}
          {answer ? (
            <>
              <Text fw={600} c={answer.read.outcome === 'answered' ? undefined : 'var(--critical)'}>
                {t(`commissioning:outcome.${answer.read.outcome}`, { code: answer.read.exception ?? 0 })}
                {answer.read.outcome === 'noPath' ? '' : ` · ${answer.read.tookMs} ms`}
              </Text>
              <OutputPane label={t('commissioning:read.frames')}>
                {`→ ${spaced(answer.read.sent) || '–'}\n← ${spaced(answer.read.received) || '–'}`}
              </OutputPane>
              <Group gap={4} mt="sm">
                {rows.map(({ address, text }) => (
                  <Button
                    key={address}
                    size="compact-sm"
                    variant={address === first && !isBits ? 'filled' : 'default'}
                    onClick={() => setLooked(address)}
                  >
                    {`${address}: ${text}`}
                  </Button>
                ))}
              </Group>
            </>
          ) : (
            <Text c="dimmed">{t('commissioning:read.hint')}</Text>
          )}
        </div>
      </Card>
      {answer && bytes && (answer.range.table === 'holding' || answer.range.table === 'input') ? (
        <RegisterViews
          address={first}
          bytes={bytes.slice(2 * (first - answer.range.address))}
          onChoose={(chosen) => onChoose(chosen, answer.range.table)}
        />
      ) : null}
    </>
  )
}

/** Registers as they came, in hexadecimal; bits as 0 and 1. */
function registersIn(
  { table, address, count }: Range,
  bytes: Uint8Array,
): { address: number; text: string }[] {
  const isBits = table === 'coil' || table === 'discrete'
  return Array.from({ length: count }, (_, i) => ({
    address: address + i,
    text: isBits
      ? String(((bytes[i >> 3] ?? 0) >> (i & 7)) & 1)
      : [bytes[2 * i], bytes[2 * i + 1]]
          .map((byte = 0) => byte.toString(16).toUpperCase().padStart(2, '0'))
          .join(''),
  }))
}
