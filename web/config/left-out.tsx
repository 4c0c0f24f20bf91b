/**
 * Fields that rows and sections of a template leave out: they stay unchanged on each device until the template sets
 * them.
 */
import { Checkbox, TextInput } from '@mantine/core'
import { isVariableText } from '#schema/config/template-stack'
import { beginsWith } from '../kit/form/form-model.ts'
import type { StandIn } from '../kit/form/stand-in.ts'
import { t } from '../kit/i18n.ts'
import { mayBeAsked } from './config-values.ts'

const TEXTS = ['text', 'area', 'password', 'hex']

export const leftOut: StandIn = {
  draw: (field, { value, error, set }) => {
    if (value === undefined)
      return (
        <Checkbox
          size="sm"
          label={field.label}
          description={t('config-many:leftOut')}
          checked={false}
          error={error}
          onChange={() => set(beginsWith(field))}
        />
      )
    // Inputs of other kinds cannot show the name of a variable.
    if (!isVariableText(value) || TEXTS.includes(field.input)) return null
    return (
      <TextInput
        label={field.label}
        value={value}
        error={error}
        onChange={(event) => set(event.currentTarget.value)}
      />
    )
  },
  asks: ({ name, declared }, values) =>
    declared !== undefined &&
    declared.input !== 'hidden' &&
    values[name] !== undefined &&
    mayBeAsked(declared, values),
}
