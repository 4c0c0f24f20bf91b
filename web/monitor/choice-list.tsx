/** A choice between options with one line of description each; searched on the server if there may be many. */
import { Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import classes from './monitor.module.css'

export type Choice = { id: number; name: string; line: ReactNode; side?: ReactNode }

/** The text of its field, and the search text after a pause. */
export function useSearchText() {
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
  return { text, setText, asked: settled === '' ? {} : { search: settled } }
}

type Props = {
  label: string
  search: ReturnType<typeof useSearchText>
  /** undefined: not known yet. */
  choices: readonly Choice[] | undefined
  error: Error | null
  chosen: number | null
  onChoose: (id: number) => void
  /** The button that adds an option. */
  action?: ReactNode
  /** Shown if the list is empty without a search. */
  empty: { title: string; text: string }
}

export function ChoiceList({ label, search, choices, error, chosen, onChoose, action, empty }: Props) {
  if (error && !choices) return <ErrorBar error={error} />
  if (!choices) return <Skeleton height={66} />
  if (choices.length === 0 && search.text === '') return <Empty {...empty} action={action} />
  return (
    <Stack gap="sm">
      <Group gap={8} align="flex-start">
        <TextInput
          type="search"
          flex="1 1 200px"
          aria-label={t('fast-access:search')}
          placeholder={t('fast-access:search')}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          maxLength={100}
          value={search.text}
          onChange={(event) => search.setText(event.currentTarget.value)}
        />
        {action}
      </Group>
      {choices.length === 0 ? <Empty kind="noMatch" /> : null}
      <div role="radiogroup" aria-label={label} className={classes['picks']}>
        {choices.map(({ id, name, line, side }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the radio is inside
          <label key={id} className={classes['pick']} data-chosen={id === chosen || undefined}>
            <Radio
              size="xs"
              name={label}
              aria-label={name}
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text fw={600}>{name}</Text>
              <Text size="xs" c="dimmed" component="div">
                {line}
              </Text>
            </div>
            {side}
          </label>
        ))}
      </div>
    </Stack>
  )
}
