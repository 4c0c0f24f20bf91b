/** The variable of a notice and its terminals, found on the server. */
import { Input, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { getNoticeTerminals, getNoticeVariables } from '#schema/monitor/variable-notice'
import type { Drawn } from '../kit/form/form-model.ts'
import { pills } from '../kit/form/pills.ts'
import { t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { customerOf } from '../people/owned-choice.tsx'
import { nameWithUnit } from './variable-columns.tsx'

/** @param ofRule the customer of a stored notice */
export const variablePicker = (known: Option | undefined, ofRule: number | undefined) =>
  function VariablePicker({ name, label, required, value, error, set, values }: Drawn) {
    const customerId = ofRule ?? customerOf(values)
    const useFound = (search: string): readonly Option[] => {
      const body = { ...(customerId ? { customerId } : {}), ...(search ? { search } : {}) }
      const found = useCall(getNoticeVariables, body, {
        enabled: customerId !== undefined,
        keepPrevious: true,
      })
      return (found.data?.list ?? []).map((one) => ({
        value: String(one.id),
        label: `${one.templateName} / ${nameWithUnit(one)}`,
      }))
    }
    return (
      <FindField
        data-path={name}
        label={label}
        withAsterisk={required}
        description={customerId === undefined ? t('alarm:customerFirst') : undefined}
        disabled={customerId === undefined}
        error={error}
        useFound={useFound}
        known={known}
        value={String(value ?? '')}
        onChange={(next) => set(next ?? '')}
      />
    )
  }

/** Only terminals that have the variable. */
export const terminalPicker = (known: readonly Option[]) =>
  function TerminalPicker({ name, label, required, value, error, set, values }: Drawn) {
    const variableId = Number(values['variableId']) || undefined
    const [search, setSearch] = useState('')
    const [seen, setSeen] = useState<ReadonlyMap<string, Option>>(
      new Map(known.map((one) => [one.value, one])),
    )
    const [typed] = useDebouncedValue(search, SEARCH_PAUSE_MS)
    const found = useCall(
      getNoticeTerminals,
      { variableId: variableId ?? 0, ...(typed ? { search: typed } : {}) },
      { enabled: variableId !== undefined, keepPrevious: true },
    )
    const options = (found.data?.list ?? []).map((one) => ({
      value: String(one.id),
      label: `${one.name} · ${one.deviceName}`,
    }))
    const data = new Map([...seen, ...options.map((one) => [one.value, one] as const)])
    if (variableId === undefined)
      return <Input.Wrapper label={label} withAsterisk={required} error={error} data-path={name} />
    return (
      <MultiSelect
        data-path={name}
        label={label}
        withAsterisk={required}
        error={error}
        data={[...data.values()]}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(next) => {
          // Names are kept, because the next search may not return them.
          setSeen(data)
          set(next)
        }}
        searchable
        clearable
        hidePickedOptions
        classNames={pills}
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={t('list:noMatch')}
      />
    )
  }
