import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ComponentProps, useState } from 'react'
import { SEARCH_MAX } from '#schema/kit/list'
import { t } from '../i18n.ts'
import { SEARCH_PAUSE_MS } from './list-state.ts'
import type { Option } from './list-types.ts'

type Props = Omit<ComponentProps<typeof Select>, 'data'> & {
  /** A hook: the first matches from the server. */
  useFound: (search: string) => readonly Option[]
  /** The current choice, which may not be among the first matches. */
  known?: Option | undefined
}

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
      {...shown}
      value={shown.value === '' ? null : shown.value}
      searchable
      clearable
      data={kept && !found.some(({ value }) => value === kept.value) ? [kept, ...found] : [...found]}
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
