/** The content and position of a widget as form fields: everything that dragging can do, too. */
import { Button, Group, MultiSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { faultText } from '#schema/kit/fault'
import { gaugeFault } from '#schema/monitor/panel'
import { type Place, widgetFacts } from '#schema/monitor/panel-layout'
import { getVariableValues } from '#schema/monitor/variable-values'
import { pills } from '../kit/form/pills.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import { useCall } from '../kit/query.ts'
import { nameWithUnit } from '../monitor/variable-columns.tsx'
import type { Value } from '../monitor/variable-value.tsx'
import type { Widget } from './panel-draft.ts'
import { PanelPlaces } from './panel-places.tsx'
import { keyOf, type Values } from './panel-values.ts'

const CHOICES = 50
const labelOf = (row: Value) =>
  `${row.terminalName} / ${nameWithUnit(row)} · ${row.deviceName || row.deviceSn}`

type Props = {
  widget: Widget
  projectId: number
  values: Values
  onChange: (more: Partial<Widget>, mark: string) => void
  onPlace: (to: Partial<Place>) => void
  onCopy: () => void
  onRemove: () => void
}

function VariableField({ widget, projectId, values, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [typed] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS)
  const found = useCall(
    getVariableValues,
    { projectId, limit: CHOICES, ...(typed ? { search: typed } : {}) },
    { keepPrevious: true },
  )
  const rows = new Map((found.data?.list ?? []).map((row) => [keyOf(row), row]))
  const chosen = widget.variables.map(keyOf)
  const held = new Map(widget.variables.map((one) => [keyOf(one), one]))
  const options = [...new Set([...chosen, ...rows.keys()])].map((value) => {
    const one = held.get(value)
    const row = rows.get(value) ?? (one ? values.of(one) : undefined)
    return { value, label: row ? labelOf(row) : t(row === null ? 'panel:gone' : 'kit:loading') }
  })
  const { variables: most } = widgetFacts[widget.kind]
  return (
    <MultiSelect
      label={t('panel:field.variables')}
      placeholder={chosen.length === 0 ? t('panel:choose') : undefined}
      data={options}
      value={chosen}
      // Of one variable, the next one replaces it.
      {...(most === 1 ? {} : { maxValues: most })}
      onChange={(next) => {
        const kept = most === 1 ? next.slice(-1) : next
        const variables = kept.flatMap((value) => held.get(value) ?? rows.get(value) ?? [])
        onChange(
          {
            variables: variables.map(
              (one) =>
                held.get(keyOf(one)) ?? {
                  terminalId: one.terminalId,
                  variableId: one.variableId,
                },
            ),
          },
          `variables ${widget.key}`,
        )
      }}
      searchable
      hidePickedOptions
      classNames={pills}
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched, also by device.
      filter={({ options: all }) => all}
      nothingFoundMessage={t('list:noMatch')}
    />
  )
}

/** Empty is undefined. */
const numberOf = (value: string | number) => (value === '' ? undefined : Number(value))

export function PanelSettings(props: Props) {
  const { widget, onChange, onPlace, onCopy, onRemove } = props
  const { key, kind } = widget
  const wrong = gaugeFault(widget)
  const places = [
    ['x', t('panel:field.column'), 1],
    ['y', t('panel:field.row'), 1],
    ['w', t('panel:field.width'), 0],
    ['h', t('panel:field.height'), 0],
  ] as const
  return (
    <Stack gap="sm">
      <TextInput
        label={t('panel:field.title')}
        maxLength={64}
        value={widget.title}
        onChange={(event) => onChange({ title: event.currentTarget.value }, `title ${key}`)}
      />
      {widgetFacts[kind].variables > 0 ? <VariableField {...props} /> : null}
      {kind === 'gauge' ? (
        <Group grow gap={8}>
          {(['least', 'most'] as const).map((name) => (
            <NumberInput
              key={name}
              label={t(`panel:field.${name}`)}
              placeholder={t('panel:byItself')}
              value={widget[name] ?? ''}
              error={name === 'most' && wrong ? faultText(wrong, t) : undefined}
              onChange={(value) => onChange({ [name]: numberOf(value) }, `${name} ${key}`)}
            />
          ))}
        </Group>
      ) : null}
      {kind === 'picture' ? <PanelPlaces {...props} /> : null}
      {kind === 'trend' ? (
        <NumberInput
          label={t('panel:field.hours')}
          min={1}
          max={744}
          allowDecimal={false}
          value={widget.hours ?? ''}
          onChange={(value) => {
            const hours = numberOf(value)
            if (hours !== undefined && hours >= 1 && hours <= 744) onChange({ hours }, `hours ${key}`)
          }}
        />
      ) : null}
      <Group grow gap={8}>
        {places.map(([name, label, from]) => (
          <NumberInput
            key={name}
            label={label}
            min={from}
            allowDecimal={false}
            value={widget[name] + from}
            onChange={(value) => {
              const cell = numberOf(value)
              if (cell !== undefined) onPlace({ [name]: cell - from })
            }}
          />
        ))}
      </Group>
      <Group justify="flex-end" mt="sm">
        <Button
          variant="default"
          c="var(--critical)"
          leftSection={<IconTrash size={16} />}
          onClick={onRemove}
        >
          {t('panel:removeWidget')}
        </Button>
        <Button variant="default" leftSection={<IconCopy size={16} />} onClick={onCopy}>
          {t('panel:copyWidget')}
        </Button>
      </Group>
    </Stack>
  )
}
