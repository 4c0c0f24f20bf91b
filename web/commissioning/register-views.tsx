/**
 * The registers from one address on, decoded as every type and byte order, with the one closest to the expected value.
 */
import { Button, Group, NumberInput, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { type ByteOrder, byteOrders, type DataType } from '#schema/monitor/fields'
import { decode } from '#schema/monitor/modbus/decode'
import { guessOrders, numberTypes } from '#schema/monitor/modbus/guess-order'
import { registersOf } from '#schema/monitor/modbus/shape'
import { Card } from '../kit/card.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'

export type Chosen = { address: number; type: DataType; order: ByteOrder; factor: number }

const factors = [1, 0.1, 0.01, 0.001, 10]
const GUESSES = 5

type Props = { address: number; bytes: Uint8Array; onChoose: (chosen: Chosen) => void }

function shown(type: DataType, order: ByteOrder, bytes: Uint8Array): string {
  const size = 2 * registersOf({ type })
  if (bytes.length < size) return UNKNOWN
  const { value } = decode({ type, order }, bytes.slice(0, size))
  if (value === null) return UNKNOWN
  if (typeof value !== 'number') return value
  const magnitude = Math.abs(value)
  // Mostly from a wrong byte order: twenty digits would obscure the right one.
  return magnitude >= 1e12 || (magnitude > 0 && magnitude < 1e-6) ? value.toExponential(5) : number(value, 6)
}

export function RegisterViews({ address, bytes, onChoose }: Props) {
  const [expected, setExpected] = useState<number | string>('')
  const guesses =
    typeof expected === 'number' && expected !== 0
      ? guessOrders(bytes, expected, factors).slice(0, GUESSES)
      : []
  return (
    <Card title={t('commissioning:views.title', { address })}>
      <Group align="end" mb="sm">
        <NumberInput
          label={t('commissioning:views.expected')}
          description={t('commissioning:views.expectedHint')}
          value={expected}
          onChange={setExpected}
        />
      </Group>
      {guesses.length > 0 ? (
        <Group gap={8} mb="sm" aria-live="polite">
          {guesses.map(({ type, order, factor, value, undecided }) => (
            <Button
              key={`${type} ${order} ${factor}`}
              size="xs"
              variant="default"
              onClick={() => onChoose({ address, type, order, factor })}
            >
              {t('commissioning:views.guess', { type, order, factor, value: number(value, 3) })}
              {undecided ? ` ${t('commissioning:views.undecided')}` : ''}
            </Button>
          ))}
        </Group>
      ) : typeof expected === 'number' ? (
        <Text c="dimmed" mb="sm">
          {t('commissioning:views.noGuess')}
        </Text>
      ) : null}
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('variable:field.dataType')}</Table.Th>
              {byteOrders.map((order) => (
                <Table.Th key={order}>{order}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {numberTypes.map((type) => (
              <Table.Tr key={type}>
                <Table.Td>{t(`variable:dataType.${type}`)}</Table.Td>
                {byteOrders.map((order) => {
                  const text = shown(type, order, bytes)
                  return (
                    <Table.Td key={order}>
                      {text === UNKNOWN ? (
                        <Text c="dimmed">{text}</Text>
                      ) : (
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          aria-label={t('commissioning:views.choose', { type, order, value: text })}
                          onClick={() => onChoose({ address, type, order, factor: 1 })}
                        >
                          {text}
                        </Button>
                      )}
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  )
}
