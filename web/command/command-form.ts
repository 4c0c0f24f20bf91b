import { useForm } from '@mantine/form'
import { sentValues } from '#schema/kit/values'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { beginsWith, type Field, type FormValues, shownFields } from '../kit/form/form-model.ts'
import { type DeclaredCommand, textsOfCommand } from './commands.ts'

type Options = {
  /** Arguments that are given: they are not asked for. */
  given?: Readonly<Record<string, unknown>> | undefined
  /** Values to begin with, by name. */
  initial?: FormValues
  placeholders?: Readonly<Record<string, string>>
}

/** The arguments of a command, asked for as its declaration says. `args` is what is sent. */
export function useCommandForm(
  command: DeclaredCommand,
  { given, initial = {}, placeholders = {} }: Options = {},
) {
  const asked = ({ name }: { name: string }): Field => {
    const placeholder = placeholders[name]
    return placeholder === undefined ? { name } : { name, placeholder }
  }
  const fields =
    given === undefined
      ? shownFields(command.fields.map(asked), command.fields, textsOfCommand(command.name))
      : []
  const labelOf = (path: string) => fields.find((field) => field.name === path.split('.')[0])?.label ?? path
  const form = useForm<FormValues>({
    initialValues: Object.fromEntries(
      fields.map((field) => [field.name, initial[field.name] ?? beginsWith(field)]),
    ),
    validateInputOnBlur: true,
    validate: (values) => (given ? {} : errorsOf(faultsOf(command.fields, [], values), labelOf)),
  })
  return { fields, form, args: given ?? sentValues(command.fields, form.values) }
}
