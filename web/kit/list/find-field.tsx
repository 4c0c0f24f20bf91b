import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ComponentProps, useState } from 'react'
import { SEARCH_MAX } from '#schema/kit/list'
import { t } from '../i18n.ts'
import { SEARCH_PAUSE_MS } from './list-state.ts'
import type { Option } from './list-types.ts'

type Found = Option & {
  /** The heading that it is listed below. */
  group?: string
}
type Props = Omit<ComponentProps<typeof Select>, 'data'> & {
  /** A hook: the first matches from the server. */
  useFound: (search: string) => readonly Found[]
  /** The current choice, which may not be among the first matches. */
  known?: Option | undefined
}

const headed = (options: readonly Found[]) =>
  [...Map.groupBy(options, ({ group }) => group)].flatMap<Option | { group: string; items: Option[] }>(
    ([group, items]) =>
      group === undefined ? items : [{ group, items: items.map(({ value, label }) => ({ value, label })) }],
  )

/** Selects one of many by searching on the server, because a list of 100,000 cannot be scrolled. */
export function FindField({ useFound, known, ...shown }: Props) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Option | undefined>(known)
  // A value from a link may not be among the first matches; it must still be visible and clearable.
  const nameless = { value: String(shown.value), label: `#${shown.value}` }
  const kept = shown.value
    ? [known, chosen, nameless].find((option) => option?.value === shown.value)
    : undefined
  const [typed] = useDebouncedValue(search === kept?.label ? '' : search, SEARCH_PAUSE_MS)
  const found = useFound(typed)
  const named = found.find(({ value }) => value === shown.value)
  if (named && kept === nameless) setChosen(named)
  return (
    <Select
      clearable
      {...shown}
      value={shown.value === '' ? null : shown.value}
      searchable
      data={headed(kept && !named ? [kept, ...found] : found)}
      // The server has already filtered.
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={(text) => setSearch(text.slice(0, SEARCH_MAX))}
      onChange={(value, option) => {
        setChosen(
          value === null ? undefined : { value: String(value), label: String(option?.label ?? value) },
        )
        shown.onChange?.(value, option)
      }}
      nothingFoundMessage={t('list:noMatch')}
    />
  )
}
