import { Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { initialValues } from '#schema/kit/values'
import { ActionButton, ActionIconButton } from '../action-button.tsx'
import { t } from '../i18n.ts'
import { Mono } from '../mono.tsx'
import { at, type FormValues, type ShownField } from './form-model.ts'

type Props = {
  field: ShownField
  value: unknown
  error: ReactNode
  /** Of a row as a whole, which no field of it has. */
  errorOf: (row: number) => ReactNode
  put: (rows: readonly FormValues[]) => void
  draw: (fields: readonly ShownField[], row: FormValues) => ReactNode
}

const ErrorText = ({ children }: { children: ReactNode }) =>
  children ? (
    <Text size="xs" c="var(--critical)" role="alert">
      {children}
    </Text>
  ) : null

const moves = [
  { by: -1, icon: IconArrowUp, key: 'form:moveRowUp' },
  { by: 1, icon: IconArrowDown, key: 'form:moveRowDown' },
] as const

const moved = (rows: readonly FormValues[], from: number, to: number) =>
  rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] ?? {})

/**
 * A list of objects: each row has the declared fields; rows can be added and removed within the declared number, and moved
 * where their order means something. Errors
 * and reviews name rows by their numbers, and other fields name fixed rows by their ids.
 */
export function FormRows({ field, value, error, errorOf, put, draw }: Props) {
  const { path, label, declared } = field
  const rows = Array.isArray(value) ? (value as FormValues[]) : []
  const fixed = declared?.fixed === true
  const full = rows.length >= (declared?.maxItems ?? Number.POSITIVE_INFINITY)
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {field.hint ? (
          <Text size="xs" c="dimmed">
            {field.hint}
          </Text>
        ) : null}
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id; all values are in the form
          <div key={i}>
            <Group justify="space-between" mb={4} mih={28}>
              <Text size="sm" c="dimmed" component="div">
                {fixed ? <Mono value={String(row['id'] ?? i + 1)} /> : t('form:row', { number: i + 1 })}
              </Text>
              {fixed ? null : (
                <Group gap={4} wrap="nowrap">
                  {declared?.ordered
                    ? moves.map(({ by, icon, key }) =>
                        rows[i + by] === undefined ? null : (
                          <ActionIconButton
                            key={key}
                            icon={icon}
                            label={t(key, { number: i + 1 })}
                            onPress={() => put(moved(rows, i, i + by))}
                          />
                        ),
                      )
                    : null}
                  <ActionIconButton
                    icon={IconTrash}
                    label={t('form:removeRow', { number: i + 1 })}
                    danger
                    onPress={() => put(rows.filter((_, other) => other !== i))}
                  />
                </Group>
              )}
            </Group>
            <ErrorText>{errorOf(i)}</ErrorText>
            <Stack gap="xs" data-fields>
              {draw(at(field.fields, path, `${path}.${i}`), row)}
            </Stack>
          </div>
        ))}
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('list:empty')}
          </Text>
        ) : null}
        <ErrorText>{error}</ErrorText>
        {fixed ? null : (
          <ActionButton
            icon={IconPlus}
            label={t('form:addRow')}
            reason={full ? t('form:rowsFull', { max: declared?.maxItems ?? rows.length }) : null}
            onPress={() => put([...rows, initialValues(declared?.fields ?? [])])}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
