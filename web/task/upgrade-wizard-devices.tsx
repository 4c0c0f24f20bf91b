import { SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { DeviceFilter } from '#schema/device/device'
import { deviceStates } from '#schema/device/device-state'
import { SEARCH_MAX } from '#schema/kit/list'
import { useFacet, useGroupOptions } from '../device/device-options.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useSearchText } from '../kit/list/list-state.ts'
import type { Option } from '../kit/list/list-types.ts'
import { JoinField } from './join-field.tsx'
import classes from './task.module.css'
import type { Draft } from './upgrade-draft.ts'
import { usePreflight, VerdictBox } from './upgrade-verdict.tsx'
import { WizardPick } from './upgrade-wizard-pick.tsx'

type Part = { draft: Draft; change: (part: Partial<Draft>) => void }

/** The filter without cleared fields: an absent field matches everything. */
const filled = (filter: DeviceFilter): DeviceFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

/** A value from a link may not be among the options. */
const withValue = (options: readonly Option[], value: string | undefined) =>
  !value || options.some((one) => one.value === value) ? [...options] : [...options, { value, label: value }]

function FilterFields({ draft, change }: Part) {
  const { filter } = draft
  const set = (part: Partial<Record<keyof DeviceFilter, unknown>>) =>
    change({ filter: filled({ ...filter, ...part } as DeviceFilter) })
  // Another page may hand over another filter while this one is shown.
  const [text, setText] = useSearchText(filter.search ?? '', (search) => set({ search }))
  const models = useFacet('models')
  const firmwares = useFacet('firmwares')
  const groups = useGroupOptions()
  const choice = (key: 'model' | 'firmware', options: readonly Option[]) => (
    <Select
      label={t(`upgrade:filter.${key}`)}
      placeholder={t('upgrade:filter.any')}
      data={withValue(options, filter[key])}
      value={filter[key] ?? null}
      onChange={(value) => set({ [key]: value ?? undefined })}
      clearable
      searchable
      nothingFoundMessage={t('list:noMatch')}
    />
  )
  return (
    <div className={classes['twoColumns']}>
      {choice('model', models)}
      <Select
        label={t('upgrade:filter.group')}
        placeholder={t('upgrade:filter.any')}
        data={withValue(groups, filter.groupId === undefined ? undefined : String(filter.groupId))}
        value={filter.groupId === undefined ? null : String(filter.groupId)}
        onChange={(value) => set({ groupId: value === null ? undefined : Number(value) })}
        clearable
        searchable
        nothingFoundMessage={t('list:noMatch')}
      />
      {choice('firmware', firmwares)}
      <Select
        label={t('upgrade:filter.deviceState')}
        placeholder={t('upgrade:filter.any')}
        data={deviceStates.map((value) => ({ value, label: t(`device-state:${value}`) }))}
        value={filter.state ?? filter.online ?? null}
        // A link may still choose by connection; a choice made here is one of the states.
        onChange={(value) => set({ state: value ?? undefined, online: undefined })}
        clearable
      />
      <TextInput
        type="search"
        label={t('upgrade:filter.search')}
        placeholder={t('upgrade:filter.searchPlaceholder')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        // The next step may come before the pause is over; without the text it would be about all devices.
        onBlur={() => {
          if (text.trim() !== (filter.search ?? '')) set({ search: text.trim() })
        }}
      />
    </div>
  )
}

/** By a filter, sent as a query and counted live; or one by one. */
export function WizardDevices({ draft, change }: Part) {
  const preflight = usePreflight(draft)
  return (
    <Stack gap="md">
      <SegmentedControl
        fullWidth
        aria-label={t('upgrade:wizard.devices')}
        value={draft.mode}
        onChange={(mode) => change({ mode: mode as Draft['mode'] })}
        data={[
          { value: 'filter', label: t('upgrade:wizard.byFilter') },
          {
            value: 'pick',
            label:
              draft.picked.length === 0
                ? t('upgrade:wizard.byPick')
                : t('upgrade:wizard.byPickCount', { count: number(draft.picked.length) }),
          },
        ]}
      />
      {draft.mode === 'filter' ? (
        <>
          <FilterFields draft={draft} change={change} />
          <JoinField
            filter={draft.filter}
            days={draft.joinDays}
            onChange={(joinDays) => change({ joinDays })}
          />
        </>
      ) : (
        <WizardPick
          picked={draft.picked}
          model={draft.chosen?.model ?? undefined}
          onChange={(picked) => change({ picked: [...picked] })}
        />
      )}
      <VerdictBox draft={draft} preflight={preflight} brief />
    </Stack>
  )
}
