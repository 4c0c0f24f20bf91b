import { Button, Checkbox, Group, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { getDeviceList } from '#schema/device/device'
import { SEARCH_MAX } from '#schema/kit/list'
import { AlarmMark, alarmsOf } from '../alarm/alarm-mark.tsx'
import type { DeviceRow } from '../device/device-options.ts'
import { DeviceState } from '../device/device-state.tsx'
import { Empty } from '../kit/empty.tsx'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import { useCall } from '../kit/query.ts'
import classes from './task.module.css'
import type { Draft } from './upgrade-draft.ts'

type Picked = Draft['picked']
type Props = {
  picked: Picked
  model: string | undefined
  /** A device that is not offered: the one that is copied from. */
  without?: number | undefined
  onChange: (picked: Picked) => void
}

/** Number of devices listed; the search finds the others. */
const OFFERED = 20
const PILLS = 12

function PickedPills({ picked, onChange }: Pick<Props, 'picked' | 'onChange'>) {
  const named = picked.filter(({ sn }) => sn !== null).slice(0, PILLS)
  const rest = picked.length - named.length
  return (
    <Group gap={6}>
      {named.map(({ id, sn }) => (
        <Pill
          key={id}
          withRemoveButton
          onRemove={() => onChange(picked.filter((one) => one.id !== id))}
          removeButtonProps={{ 'aria-label': t('upgrade:wizard.unpick', { sn: sn ?? '' }) }}
        >
          {sn}
        </Pill>
      ))}
      {rest > 0 ? (
        <Text size="sm" c="dimmed">
          {named.length > 0
            ? t('upgrade:wizard.andMore', { count: rest })
            : t('upgrade:wizard.handedOver', { count: rest })}
        </Text>
      ) : null}
      {picked.length > 0 ? (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange([])}>
          {t('upgrade:wizard.unpickAll')}
        </Button>
      ) : null}
    </Group>
  )
}

/** Selects devices one by one, among those of the package's model. */
export function WizardPick({ picked, model, without, onChange }: Props) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
  const devices = useCall(
    getDeviceList,
    { limit: OFFERED, sort: 'deviceSn', ...(search ? { search } : {}), ...(model ? { model } : {}) },
    { keepPrevious: true },
  )
  const found = devices.data?.list ?? []
  const rows = found.filter(({ deviceId }) => deviceId !== without)
  const total = (devices.data?.total ?? 0) - (found.length - rows.length)
  const has = (row: DeviceRow) => picked.some(({ id }) => id === row.deviceId)
  const toggle = (row: DeviceRow) =>
    onChange(
      has(row)
        ? picked.filter(({ id }) => id !== row.deviceId)
        : [...picked, { id: row.deviceId, sn: row.deviceSn }],
    )
  const allShown = rows.length > 0 && rows.every(has)
  const toggleShown = () =>
    onChange([
      ...picked.filter(({ id }) => !rows.some((row) => row.deviceId === id)),
      ...(allShown ? [] : rows.map((row) => ({ id: row.deviceId, sn: row.deviceSn }))),
    ])
  return (
    <Stack gap="sm">
      {picked.length > 0 ? <PickedPills picked={picked} onChange={onChange} /> : null}
      <TextInput
        type="search"
        aria-label={t('upgrade:filter.search')}
        placeholder={t('upgrade:filter.searchPlaceholder')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {devices.data ? null : <Skeleton height={120} />}
      {devices.data && rows.length === 0 ? <Empty kind="noMatch" /> : null}
      {rows.length > 0 ? (
        <Group justify="space-between" gap={8}>
          <Checkbox
            size="sm"
            label={t('upgrade:wizard.pickShown', { count: rows.length })}
            checked={allShown}
            indeterminate={!allShown && rows.some(has)}
            onChange={toggleShown}
          />
          {total > rows.length ? (
            <Text size="xs" c="dimmed">
              {t('upgrade:wizard.shownOf', { shown: rows.length, total })}
            </Text>
          ) : null}
        </Group>
      ) : null}
      <div className={classes['picks']}>
        {rows.map((row) => (
          <div key={row.deviceId} className={classes['pick']}>
            <Checkbox
              size="sm"
              checked={has(row)}
              onChange={() => toggle(row)}
              label={
                <>
                  {row.deviceName}{' '}
                  <Text span size="xs" c="dimmed" ff="monospace">
                    {row.deviceSn}
                  </Text>
                </>
              }
            />
            <Group gap={8} wrap="nowrap">
              <Text size="xs" c="dimmed" className="tabular">
                {row.firmware ?? UNKNOWN}
              </Text>
              <AlarmMark severity={row.alarmSeverity} count={row.alarmCount} to={alarmsOf(row)} apart />
              <DeviceState device={row} />
            </Group>
          </div>
        ))}
      </div>
    </Stack>
  )
}
