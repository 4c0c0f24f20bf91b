import { Autocomplete, Combobox, type ComboboxItem, type OptionsFilter, TagsInput, Text } from '@mantine/core'
import { type ReactNode, use } from 'react'
import type { Reference } from '#schema/kit/field'
import { KnownNamesContext } from './known-names.ts'

type Props = {
  refersTo: Reference
  many: boolean
  classNames: Readonly<Record<string, string>>
  /** Label, hint and value of the input, as for every field. */
  input: Readonly<Record<string, unknown>>
}

const textsOf = (value: unknown) => [value].flat().filter((one): one is string => typeof one === 'string')

/** All of them while the text is one of them: a user who opens the list wants another one. */
const filter: OptionsFilter = ({ options, search }) => {
  const all = options as ComboboxItem[]
  const typed = search.trim().toLowerCase()
  return all.some(({ value }) => value.toLowerCase() === typed)
    ? all
    : all.filter(({ value }) => value.toLowerCase().includes(typed))
}

/** The name of an object that is defined elsewhere: selected from the existing ones, or typed. */
export function NameField({ refersTo, many, classNames, input }: Props) {
  const { offered, lack } = use(KnownNamesContext)
  const data = [...new Set(offered(refersTo))]
  const lacks = textsOf(input['value']).flatMap((name) => lack(refersTo, name.trim()) ?? [])
  // Within the description, since the rows of a form align label, input and description of the fields beside each other.
  const description =
    lacks.length === 0 || input['error'] ? (
      input['description']
    ) : (
      <>
        {input['description']}
        <Text size="xs" c="var(--warning)" role="status" component="span" display="block">
          {lacks.join(' · ')}
        </Text>
      </>
    )
  const props = { ...input, description: description as ReactNode }
  return many ? (
    <TagsInput data={data} clearable classNames={classNames} {...props} />
  ) : (
    <Autocomplete
      data={data}
      filter={filter}
      autoComplete="off"
      // Like a select: the arrow shows that there are choices before the field is focused.
      rightSection={<Combobox.Chevron />}
      rightSectionPointerEvents="none"
      {...props}
    />
  )
}
