import { Button, Group, Select, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import {
  addConfigTemplate,
  getConfigTemplate,
  getConfigTemplateList,
  getTemplateImpact,
  modifyConfigTemplate,
} from '#schema/config/config-template'
import { getConfigVariableList } from '#schema/config/config-variable'
import type { ReplyOf } from '#schema/kit/call'
import type { EditConflict } from '#schema/kit/edition'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { ErrorBar } from '../kit/error-bar.tsx'
import { conflictOf } from '../kit/form/edit-conflict.ts'
import { declaredProps } from '../kit/form/forms.ts'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { useAction, useCall } from '../kit/query.ts'
import { mayCall } from '../kit/session.ts'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import { chosenFrom, countOf, faultIn, pagesOf, withRead } from './chosen-fields.ts'
import { ChosenValues } from './chosen-values.tsx'
import { pageNamed, pages, pageTitle } from './config-pages.ts'
import { ImpactNote } from './impact-note.tsx'
import { TemplateConflict } from './template-conflict.tsx'
import { mergedSettings, type Settings } from './template-sides.ts'
import { TemplateWhere } from './template-where.tsx'
import { useImpact } from './use-impact.ts'

const TemplateUci = lazy(() => import('./template-uci.tsx'))

/** A stored one, or a new one; `fromId`: with what this device runs. */
export type EditedTemplate = { id: number | null; fromId?: number }
export type Stored = ReplyOf<typeof getConfigTemplate>
/** What the form began with, or what another user has saved since then. `edition`: absent for a new one. */
export type Begun = { settings: Settings; customerId: number | undefined; edition: string | undefined }

const VARIABLES_SHOWN = 200

export const begunWith = ({ id: _, pages: values, customerId, edition, ...rest }: Stored): Begun => ({
  settings: { ...rest, chosen: chosenFrom(values) },
  customerId,
  edition,
})

/** The form of a template: what it sets, where it holds, and what that would change, before it is saved. */
export function TemplateForm({
  id,
  fromId,
  begun,
  again,
  onEdit,
  onCancel,
  onSaved,
}: EditedTemplate & {
  begun: Begun
  /** What is stored by now. */
  again: () => Promise<Stored>
  onEdit: (isEdited: boolean) => void
  onCancel: () => void
  onSaved: () => void
}) {
  const [base, setBase] = useState(begun)
  const [value, setValue] = useState(begun.settings)
  const [customerId, setCustomerId] = useState(begun.customerId)
  const [conflict, setConflict] = useState<{ who: EditConflict; theirs: Begun } | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const [page, setPage] = useState(() => Object.keys(value.chosen)[0] ?? pages[0]?.name ?? '')
  const [counted, setCounted] = useState<object | null>(null)
  const [imports, setImports] = useState(false)
  /** Counts how often the values of the pages were replaced: their forms begin again. */
  const [replaced, setReplaced] = useState(0)
  const change = (part: Partial<Settings>) => {
    setCounted(null)
    onEdit(true)
    setValue((before) => ({ ...before, ...part }))
  }
  const { chosen, name, remark, everywhere, groupIds, devices, place } = value
  const owner = customerId ?? me().user.user_ctid ?? undefined
  const customers = useCustomerOptions()
  const known = useCall(getConfigVariableList, {
    limit: VARIABLES_SHOWN,
    ...(owner ? { customerId: owner } : {}),
  })
  const body = {
    name: name.trim(),
    remark: remark ?? '',
    pages: pagesOf(chosen),
    everywhere,
    groupIds: [...groupIds],
    deviceIds: devices.map((one) => one.id),
    place,
    ...(fromId === undefined ? {} : { fromId }),
  }
  const impact = useImpact(getTemplateImpact, counted as typeof body | null)
  const options = {
    refreshes: [getConfigTemplateList, getConfigTemplate],
    success: t('config-template:saved'),
    quiet: true,
    onDone: onSaved,
  }
  const add = useAction(addConfigTemplate, options)
  const modify = useAction(modifyConfigTemplate, options)
  const named = customerId === undefined ? {} : { customerId }
  const save = async () => {
    setFailure(null)
    if (id === null) return add.start({ ...named, ...body })
    try {
      await modify.run({ id, ...body, ...(base.edition === undefined ? {} : { edition: base.edition }) })
    } catch (error) {
      const who = conflictOf(error)
      if (!who) return
      try {
        setConflict({ who, theirs: begunWith(await again()) })
      } catch (unread) {
        setFailure(unread as Error)
      }
    }
  }
  const goOn = (theirs: Begun, settings: Settings) => {
    setBase(theirs)
    setValue(settings)
    setConflict(null)
    setCounted(null)
    setReplaced(replaced + 1)
    onEdit(settings !== theirs.settings)
  }
  const fault = faultIn(chosen)
  const lack = !mayCall(id === null ? addConfigTemplate : modifyConfigTemplate)
    ? t('kit:noRight')
    : name.trim() === ''
      ? t('config-many:nameMissing')
      : countOf(chosen) === 0
        ? t('config-many:nothing')
        : fault
          ? t('config-many:faulty', {
              page: pageTitle(pageNamed(fault.page) ?? { word: 'config', name: fault.page }),
            })
          : isPlatformUser() && owner === undefined
            ? t('config-template:field.customerId')
            : null
  const error = failure ?? add.error ?? (conflictOf(modify.error) ? null : modify.error)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (lack === null) void save()
      }}
    >
      <Stack>
        {error ? <ErrorBar error={error} /> : null}
        {conflict ? (
          <TemplateConflict
            who={conflict.who}
            base={base.settings}
            theirs={conflict.theirs.settings}
            mine={value}
            owner={owner}
            onMine={() =>
              goOn(conflict.theirs, mergedSettings(base.settings, conflict.theirs.settings, value))
            }
            onTheirs={() => goOn(conflict.theirs, conflict.theirs.settings)}
          />
        ) : null}
        <Group grow align="flex-start">
          <TextInput
            {...declaredProps(addConfigTemplate, 'name')}
            withAsterisk
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            {...declaredProps(addConfigTemplate, 'remark')}
            value={remark ?? ''}
            onChange={(event) => change({ remark: event.currentTarget.value })}
          />
        </Group>
        {id === null && isPlatformUser() ? (
          <Select
            label={t('config-template:field.customerId')}
            data={[...customers]}
            value={customerId === undefined ? null : String(customerId)}
            searchable
            withAsterisk
            onChange={(next) => {
              setCustomerId(next ? Number(next) : undefined)
              change({ groupIds: [], devices: [] })
            }}
          />
        ) : null}
        <Tabs defaultValue="values" keepMounted>
          <Tabs.List mb="md">
            <Tabs.Tab value="values">{t('config-template:field.pages')}</Tabs.Tab>
            <Tabs.Tab value="where">{t('config-template:where')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="values">
            <Group justify="space-between" align="flex-start" mb="sm">
              <Text size="sm" c="dimmed" flex="1 1 300px">
                {t('config-template:variableHint')}
              </Text>
              <ActionButton
                icon={IconFileImport}
                label={t('config:import.open')}
                onPress={() => setImports(true)}
              />
            </Group>
            {imports ? (
              <Suspense>
                <TemplateUci
                  opened
                  onClose={() => setImports(false)}
                  onRead={(found) => {
                    change({ chosen: withRead(chosen, found) })
                    setPage(Object.keys(found)[0] ?? page)
                    setReplaced(replaced + 1)
                  }}
                />
              </Suspense>
            ) : null}
            <ChosenValues
              key={replaced}
              chosen={chosen}
              change={(next) => change({ chosen: next })}
              page={page}
              open={setPage}
              variables={(known.data?.list ?? []).map((one) => one.name)}
            />
          </Tabs.Panel>
          <Tabs.Panel value="where">
            <TemplateWhere value={value} change={change} owner={owner} />
          </Tabs.Panel>
        </Tabs>
        <ImpactNote {...impact} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('kit:cancel')}
          </Button>
          <ActionButton
            label={t('config-template:showImpact')}
            reason={lack}
            onPress={() => setCounted({ ...(id === null ? named : { id }), ...body })}
          />
          <SubmitButton label={t('config-template:save')} busy={add.busy || modify.busy} reason={lack} />
        </Group>
      </Stack>
    </form>
  )
}
