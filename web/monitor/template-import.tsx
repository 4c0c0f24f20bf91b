/** Adds a collection template from the library, or from a file that was exported elsewhere. */
import { Button, Group, ScrollArea, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { faultSentence } from '#schema/kit/fault'
import { getTemplateList, templateListScreen } from '#schema/monitor/collection-template'
import { VARIABLES_MAX } from '#schema/monitor/fields'
import { library } from '#schema/monitor/library/library'
import { parseTemplate, variableAt } from '#schema/monitor/template/document'
import { inLanguage, namesOf, templateValues } from '#schema/monitor/template/from-library'
import { importTemplate } from '#schema/monitor/template-import'
import { ActionButton } from '../kit/action-button.tsx'
import { ApiError, isSessionEnd } from '../kit/api.ts'
import { Modal } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import '../kit/form/error-texts.ts'
import { FileButton } from '../kit/form/file-button.tsx'
import { t } from '../kit/i18n.ts'
import { textOfFile } from '../kit/list/csv.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import { language } from '../kit/session.ts'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import classes from './monitor.module.css'

type Body = BodyOf<typeof importTemplate>

const NAME_MAX = 64
const REMARK_MAX = 500

const ofLibrary = (key: string): Body | null => {
  const found = library.find((template) => template.key === key)
  if (!found) return null
  const { remark, name, ...body } = templateValues(found, language())
  return { ...body, name: name.slice(0, NAME_MAX), remark: remark.slice(0, REMARK_MAX) }
}

/** The server names a variable by its place, which nobody finds among a thousand. */
function withVariable(error: unknown, { variables }: Body): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const name = error instanceof ApiError ? variableAt(error.field, variables) : null
  return name === null
    ? error
    : new Error(t('collection-template:ofVariable', { name, message: error.message }))
}

type Props = {
  opened: boolean
  onClose: () => void
  /** Whose it will be, where that is known; platform users choose otherwise. */
  customerId?: number | undefined
  /** Default: its page is opened. */
  onDone?: (id: number) => void
}

export function TemplateImport({ opened, onClose, customerId: given, onDone }: Props) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Body | null>(null)
  const [picked, setPicked] = useState<string | null>(null)
  const customerId = given === undefined ? picked : String(given)
  const [failure, setFailure] = useState<Error | null>(null)
  const customers = useCustomerOptions()
  const action = useAction(importTemplate, {
    quiet: true,
    refreshes: [getTemplateList],
    success: t('collection-template:imported'),
  })
  const wanted = search.trim().toLowerCase()
  const shown = library.filter((template) =>
    namesOf(template).some((name) => name.toLowerCase().includes(wanted)),
  )
  const choose = (body: Body | null) => {
    setChosen(body)
    setFailure(body ? null : new Error(t('collection-template:notOurs')))
  }
  const save = async () => {
    if (!chosen) return
    setFailure(null)
    try {
      const { id } = await action.run({ ...chosen, ...(customerId ? { customerId } : {}) })
      onClose()
      if (onDone) onDone(id)
      else goTo(`${templateListScreen.path}/${id}`)
    } catch (error) {
      // It would still be shown when the password has been entered over the page.
      if (isSessionEnd(error)) return
      setFailure(withVariable(error, chosen))
    }
  }
  const lack = () => {
    if (!chosen) return t('collection-template:chooseFirst')
    const { length: rows } = chosen.variables
    if (rows > VARIABLES_MAX) return t('variable:tooManyRows', { rows, max: VARIABLES_MAX })
    const missing =
      chosen.name.trim() === '' ? 'name' : isPlatformUser() && customerId === null ? 'customer' : null
    return missing && faultSentence(t(`collection-template:field.${missing}`), { reason: 'required' }, t)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('collection-template:import')} size={720}>
      <Stack gap="sm">
        {failure ? <ErrorBar error={failure} /> : null}
        <Group gap="sm">
          <TextInput
            flex="1 1 220px"
            aria-label={t('collection-template:librarySearch')}
            placeholder={t('collection-template:librarySearch')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <FileButton
            accept="application/json,.json"
            onChange={(file) =>
              void textOfFile(file).then((text) => choose(parseTemplate(text ?? '') as Body | null))
            }
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileImport size={16} stroke={1.5} />}>
                {t('collection-template:fromFile')}
              </Button>
            )}
          </FileButton>
        </Group>
        <ScrollArea.Autosize mah={300}>
          {shown.map((template) => (
            <UnstyledButton
              key={template.key}
              className={classes['choice']}
              data-active={chosen?.libraryKey === template.key || undefined}
              aria-pressed={chosen?.libraryKey === template.key}
              onClick={() => choose(ofLibrary(template.key))}
            >
              <Text size="sm">{inLanguage(template.name, language())}</Text>
              <Text size="xs" c="dimmed">
                {t(`collection-template:type.${template.type}`)} ·{' '}
                {t('collection-template:countOfVariables', { count: template.variables.length })} ·{' '}
                {template.source.document}
              </Text>
            </UnstyledButton>
          ))}
        </ScrollArea.Autosize>
        {chosen ? (
          <TextInput
            label={t('collection-template:field.name')}
            withAsterisk
            maxLength={NAME_MAX}
            value={chosen.name}
            onChange={(event) => setChosen({ ...chosen, name: event.currentTarget.value })}
          />
        ) : null}
        {chosen && isPlatformUser() && given === undefined ? (
          <Select
            label={t('collection-template:field.customer')}
            withAsterisk
            searchable
            data={[...customers]}
            value={customerId}
            onChange={setPicked}
          />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('kit:cancel')}
          </Button>
          <ActionButton
            label={t('collection-template:create')}
            rank="primary"
            reason={lack()}
            busy={action.busy}
            onPress={() => void save()}
          />
        </Group>
      </Stack>
    </Modal>
  )
}
