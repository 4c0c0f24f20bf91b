import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { SEARCH_MAX } from '#schema/kit/list'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import type { Option } from '../kit/list/list-types.ts'
import { customerOf } from '../people/owned-choice.tsx'
import { useDeviceFound } from './device-find.ts'

/** Selects several devices of a customer by searching. `known` are those selected before. */
export function devicePicker(known: readonly Option[], ofRule?: number) {
  return function DevicePicker({ name: path, label, hint, required, value, error, set, values }: Drawn) {
    const customerId = ofRule ?? customerOf(values)
    const [search, setSearch] = useState('')
    const [seen, setSeen] = useState<ReadonlyMap<string, Option>>(
      new Map(known.map((one) => [one.value, one])),
    )
    const [typed] = useDebouncedValue(search, SEARCH_PAUSE_MS)
    const found = useDeviceFound(typed, customerId)
    const offered = new Set(found.map((one) => one.value))
    const chosen = Array.isArray(value) ? value.map(String) : []
    const data = new Map([...seen, ...found.map((one) => [one.value, one] as const)])
    return (
      <MultiSelect
        data-path={path}
        label={label}
        description={customerId === undefined ? t('alarm:customerFirst') : hint}
        withAsterisk={required}
        disabled={customerId === undefined}
        error={error}
        data={[...data.values()]}
        value={chosen}
        onChange={(next) => {
          // Names are kept, because the next search may not return them.
          setSeen(data)
          set(next)
        }}
        searchable
        clearable
        hidePickedOptions
        // The server has already filtered, also by what the names do not contain.
        filter={({ options }) => options.filter((one) => 'value' in one && offered.has(String(one.value)))}
        searchValue={search}
        onSearchChange={(text) => setSearch(text.slice(0, SEARCH_MAX))}
        nothingFoundMessage={t('list:noMatch')}
      />
    )
  }
}
