/** A choice whose options depend on other values of its form. */
import { Select } from '@mantine/core'
import type { Drawn } from '../kit/form/form-model.ts'
import type { Option } from '../kit/list/list-types.ts'

export function SelectField({ drawn, options }: { drawn: Drawn; options: readonly Option[] }) {
  return (
    <Select
      data-path={drawn.name}
      label={drawn.label}
      description={drawn.hint}
      withAsterisk={drawn.required}
      value={drawn.value === '' || drawn.value === undefined ? null : String(drawn.value)}
      onChange={(value) => drawn.set(value ?? '')}
      error={drawn.error}
      data={[...options]}
      searchable
      clearable={!drawn.required}
    />
  )
}
