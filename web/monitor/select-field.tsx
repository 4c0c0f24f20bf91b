/** A choice whose options depend on other values of its form. */
import { Select } from '@mantine/core'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'

type Props = { drawn: Drawn; options: readonly Option[]; placeholder?: string }

export function SelectField({ drawn, options, placeholder }: Props) {
  return (
    <Select
      data-path={drawn.name}
      label={drawn.label}
      description={drawn.hint}
      placeholder={placeholder}
      withAsterisk={drawn.required}
      value={drawn.value === '' || drawn.value === undefined ? null : String(drawn.value)}
      onChange={(value) => drawn.set(value ?? '')}
      error={drawn.error}
      data={[...options]}
      searchable
      nothingFoundMessage={t('list:noMatch')}
      clearable={!drawn.required}
    />
  )
}
