/** The third step of fast access: a terminal of the gateway, or a new one, which is added at the end. */
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { addTerminal, getTerminalList } from '#schema/device/terminal'
import type { BodyOf } from '#schema/kit/call'
import { sentValues } from '#schema/kit/values'
import { errorsOf } from '../kit/form/error-texts.ts'
import { faultsOf } from '../kit/form/form-errors.ts'
import { FormFields } from '../kit/form/form-fields.tsx'
import { beginsWith, type FormValues, isAsked, shownOfCall } from '../kit/form/form-model.ts'
import { declaredForm } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { NEW_TERMINAL } from './access-draft.ts'
import { ChoiceList, useSearchText } from './choice-list.tsx'
import classes from './monitor.module.css'
import { SlaveChip } from './terminal-columns.tsx'
import type { Terminal } from './terminal-fields.tsx'
import { terminalFields } from './terminal-fields.tsx'

const SHOWN = 50
/** They are steps of their own. */
const elsewhere = ['deviceId', 'templateId']

/** The form of a new terminal, checked as in the list of terminals. */
export function useNewTerminal(kept: FormValues) {
  const declared = declaredForm(addTerminal)
  const fields = shownOfCall(
    terminalFields(null).filter(
      (field) => !elsewhere.includes(typeof field === 'string' ? field : field.name),
    ),
    declared,
  )
  const empty: FormValues = {
    ...Object.fromEntries(fields.map((field) => [field.name, beginsWith(field)])),
    protocol: 'modbusRtu',
  }
  const known = Object.entries(kept).filter(([name]) => name in empty)
  const form = useForm<FormValues>({
    initialValues: { ...empty, ...Object.fromEntries(known) },
    validateInputOnBlur: true,
    validate: (values) => {
      const now = fields.filter((field) => isAsked(field, values))
      const judged = declared.fields.filter(({ name }) => now.some((field) => field.name === name))
      return errorsOf(
        faultsOf(judged, now, values),
        (path) => fields.find((field) => field.path === path)?.label ?? path,
      )
    },
  })
  return {
    form,
    fields,
    empty: () => form.setValues(empty),
    bodyWith: (deviceId: number, templateId: number) =>
      sentValues(declared.fields, { ...form.values, deviceId, templateId }) as BodyOf<typeof addTerminal>,
  }
}
export type NewTerminal = ReturnType<typeof useNewTerminal>

type Props = {
  deviceId: number
  chosen: number | null
  onChoose: (terminal: Terminal) => void
  onNew: (isNew: boolean) => void
  terminal: NewTerminal
}

export function AccessTerminal({ deviceId, chosen, onChoose, onNew, terminal }: Props) {
  const search = useSearchText()
  const found = useCall(getTerminalList, { deviceId, ...search.asked, limit: SHOWN }, { keepPrevious: true })
  const isNew = chosen === NEW_TERMINAL
  // Nothing to choose from: the first one is added.
  const hasNone = found.data?.total === 0 && !('search' in search.asked)
  const propose = useEffectEvent(() => {
    if (chosen === null) onNew(true)
  })
  useEffect(() => {
    if (hasNone) propose()
  }, [hasNone])
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('fast-access:step.terminal')}
        value={isNew ? 'new' : 'existing'}
        onChange={(value) => onNew(value === 'new')}
        data={[
          { value: 'existing', label: t('fast-access:existingTerminal') },
          { value: 'new', label: t('fast-access:newTerminal') },
        ]}
      />
      {isNew ? (
        <>
          <Text size="sm" c="dimmed">
            {t('fast-access:newTerminalText')}
          </Text>
          <div className={classes['twoColumns']}>
            <FormFields fields={terminal.fields} form={terminal.form} values={terminal.form.values} />
          </div>
        </>
      ) : (
        <ChoiceList
          label={t('fast-access:step.terminal')}
          search={search}
          choices={found.data?.list.map((row) => ({
            id: row.id,
            name: row.name,
            line: [t(`terminal:protocol.${row.protocol}`), row.slaveAddress, row.slaveId, row.template]
              .filter((part) => part !== null)
              .join(' · '),
            side: <SlaveChip {...row} />,
          }))}
          error={found.error}
          chosen={chosen}
          onChoose={(id) => {
            const row = found.data?.list.find((one) => one.id === id)
            if (row) onChoose(row)
          }}
          empty={{ title: t('terminal:firstTitle'), text: t('fast-access:noTerminalText') }}
        />
      )}
    </Stack>
  )
}
