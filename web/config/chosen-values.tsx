import { Checkbox, Group, NativeSelect, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { pageGroups } from '#schema/config/config-page'
import { hasVariable, isVariableText } from '#schema/config/template-stack'
import { valueAt } from '#schema/kit/new-faults'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { FormField } from '../kit/form/form-fields.tsx'
import { isWide } from '../kit/form/form-layout.ts'
import type { FormValues, ShownField } from '../kit/form/form-model.ts'
import { KnownNamesContext } from '../kit/form/known-names.ts'
import { StandInContext } from '../kit/form/stand-in.ts'
import { t } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { type Chosen, isOffered, untouched } from './chosen-fields.ts'
import classes from './config.module.css'
import { type DeclaredPage, fieldsOfPage, pageNamed, pages, pageTitle } from './config-pages.ts'
import { leftOut } from './left-out.tsx'
import { namesOfMany } from './page-names.ts'

type Props = {
  chosen: Chosen
  change: (chosen: Chosen) => void
  page: string
  open: (page: string) => void
  /** Names that values can be taken from; absent: values only. */
  variables?: readonly string[]
  disabled?: boolean
}
type PageProps = Omit<Props, 'page' | 'open'> & { page: DeclaredPage }

/** Sections and rows hold several values: a variable takes the place of one. */
const takesVariable = ({ input }: ShownField) => input !== 'rows' && input !== 'fields'
const text = (name: string) => `{{${name}}}`

function PageValues({ page, chosen, change, variables, disabled = false }: PageProps) {
  const fields = fieldsOfPage(page)
  const own = chosen[page.name] ?? { fields: [], values: untouched(page) }
  const labelOf = (path: string) => fields.find((field) => field.path === path.split('.')[0])?.label ?? path
  const form = useForm<FormValues>({
    initialValues: own.values,
    validateInputOnBlur: true,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(errorsOf(faultsOf(page.fields, [], values), labelOf)).filter(
          ([path]) => !hasVariable(valueAt(values, path)),
        ),
      ),
    onValuesChange: (values) => change({ ...chosen, [page.name]: { fields: own.fields, values } }),
  })
  const choose = (name: string, on: boolean) =>
    change({
      ...chosen,
      [page.name]: {
        fields: on ? [...own.fields, name] : own.fields.filter((one) => one !== name),
        values: form.values,
      },
    })
  return (
    <fieldset className={`${classes['grid']} ${kit['lined']}`} disabled={disabled}>
      {fields
        .filter(
          ({ name }) =>
            own.fields.includes(name) || isOffered(page, name, { fields: own.fields, values: form.values }),
        )
        .map((field) => {
          const on = own.fields.includes(field.name)
          const value = form.values[field.name]
          const fromVariable = isVariableText(value)
          return (
            <div
              key={field.path}
              data-wide={(on && isWide(field)) || undefined}
              data-changed={on || undefined}
            >
              <Group gap="xs" justify="space-between" wrap="nowrap" mb={4}>
                <Checkbox
                  size="sm"
                  label={on ? t('config-many:set') : field.label}
                  aria-label={field.label}
                  checked={on}
                  onChange={(event) => choose(field.name, event.currentTarget.checked)}
                />
                {on && variables && variables.length > 0 && takesVariable(field) ? (
                  <NativeSelect
                    size="xs"
                    aria-label={t('config-many:source', { field: field.label })}
                    value={fromVariable ? 'variable' : 'value'}
                    data={[
                      { value: 'value', label: t('config-many:fromValue') },
                      { value: 'variable', label: t('config-many:fromVariable') },
                    ]}
                    onChange={(event) =>
                      form.setFieldValue(
                        field.name,
                        event.currentTarget.value === 'variable'
                          ? text(variables[0] ?? '')
                          : untouched(page)[field.name],
                      )
                    }
                  />
                ) : null}
              </Group>
              {!on ? null : fromVariable && takesVariable(field) ? (
                <Select
                  label={field.label}
                  data={[...new Set([...(variables ?? []).map(text), String(value)])]}
                  value={String(value)}
                  allowDeselect={false}
                  searchable
                  onChange={(next) => next && form.setFieldValue(field.name, next)}
                />
              ) : (
                <FormField field={field} form={form} />
              )}
            </div>
          )
        })}
    </fieldset>
  )
}

/** Pages, of each the fields that are to be set, and their values. */
export function ChosenValues({ page: name, open, ...props }: Props) {
  const page = pageNamed(name) ?? pages[0]
  const noteOf = (one: DeclaredPage) => {
    const count = props.chosen[one.name]?.fields.length ?? 0
    return count > 0 ? `${pageTitle(one)} · ${t('config-many:chosen', { count })}` : pageTitle(one)
  }
  if (!page) return null
  return (
    <Stack gap="md">
      <Select
        label={t('config:page')}
        data={pageGroups
          .map((group) => ({
            group: t(`config:group.${group}`),
            items: pages
              .filter((one) => one.group === group)
              .map((one) => ({ value: one.name, label: noteOf(one) })),
          }))
          .filter(({ items }) => items.length > 0)}
        value={page.name}
        allowDeselect={false}
        searchable
        onChange={(next) => next && open(next)}
      />
      <Text size="sm" c="dimmed">
        {t('config-many:choose')}
      </Text>
      <KnownNamesContext value={namesOfMany(props.chosen)}>
        <StandInContext value={leftOut}>
          <PageValues key={page.name} page={page} {...props} />
        </StandInContext>
      </KnownNamesContext>
    </Stack>
  )
}
