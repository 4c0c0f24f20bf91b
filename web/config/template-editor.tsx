import { Button, Group, Select, Skeleton, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { getConfigValues } from '#schema/config/config-many'
import {
  addConfigTemplate,
  getConfigTemplate,
  getConfigTemplateList,
  getTemplateImpact,
  modifyConfigTemplate,
} from '#schema/config/config-template'
import { getConfigVariableList } from '#schema/config/config-variable'
import type { ReplyOf } from '#schema/kit/call'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { lazy } from '../kit/chunk.ts'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar, ReadBar } from '../kit/error-bar.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { useLeave } from '../kit/form/leave.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { useAction, useCall } from '../kit/query.ts'
import { mayCall } from '../kit/session.ts'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import { type Chosen, chosenFrom, countOf, faultIn, pagesOf, withRead } from './chosen-fields.ts'
import { ChosenValues } from './chosen-values.tsx'
import { pageNamed, pages, pageTitle, pageWords } from './config-pages.ts'
import { ImpactNote } from './impact-note.tsx'
import { TemplateWhere } from './template-where.tsx'
import { useImpact } from './use-impact.ts'

// Before the first page is drawn; this module is loaded when the editor is opened.
await loadWords([
  ...pageWords,
  'config',
  'config-many',
  'config-template',
  'upgrade',
  'device-state',
  'severity',
])

const TemplateUci = lazy(() => import('./template-uci.tsx'))

/** A stored one, or a new one; `fromId`: with what this device runs. */
export type EditedTemplate = { id: number | null; fromId?: number }
type Stored = ReplyOf<typeof getConfigTemplate>
type Begun = Omit<Stored, 'id' | 'edition' | 'pages' | 'customerId'> & {
  chosen: Chosen
  customerId: number | undefined
}
type Props = { opened: boolean; onClose: () => void; edited: EditedTemplate }

const DEFAULT_PLACE = 100
const VARIABLES_SHOWN = 200

function Form({
  id,
  fromId,
  edition,
  begun,
  onEdit,
  onCancel,
  onSaved,
}: EditedTemplate & {
  edition: string | undefined
  begun: Begun
  onEdit: () => void
  onCancel: () => void
  onSaved: () => void
}) {
  const [value, setValue] = useState(begun)
  const [page, setPage] = useState(() => Object.keys(begun.chosen)[0] ?? pages[0]?.name ?? '')
  const [counted, setCounted] = useState<object | null>(null)
  const [imports, setImports] = useState(false)
  const [read, setRead] = useState(0)
  const change = (part: Partial<Begun>) => {
    setCounted(null)
    onEdit()
    setValue((before) => ({ ...before, ...part }))
  }
  const { chosen, name, remark, everywhere, groupIds, devices, place, customerId } = value
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
    groupIds,
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
  const save = () =>
    id === null
      ? add.start({ ...named, ...body })
      : modify.start({ id, ...body, ...(edition === undefined ? {} : { edition }) })
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
  const error = add.error ?? modify.error
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (lack === null) save()
      }}
    >
      <Stack>
        {error ? <ErrorBar error={error} /> : null}
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
            onChange={(next) =>
              change({ customerId: next ? Number(next) : undefined, groupIds: [], devices: [] })
            }
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
                    setRead(read + 1)
                  }}
                />
              </Suspense>
            ) : null}
            <ChosenValues
              key={read}
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

/** A template: its settings, where it holds, and what that would change, before it is saved. */
export function TemplateEditor({ opened, onClose, edited }: Props) {
  const { id, fromId } = edited
  const stored = useCall(getConfigTemplate, { id: id ?? 0 }, { enabled: id !== null, once: true })
  const from = useCall(
    getConfigValues,
    { deviceId: fromId ?? 0 },
    { enabled: fromId !== undefined, once: true },
  )
  const [begun, setBegun] = useState<(Begun & { edition: string | undefined }) | null>(null)
  const [isEdited, setEdited] = useState(false)
  const { close, leave } = useLeave(`template ${id ?? 'new'}`, opened && isEdited, onClose)
  const found = stored.data
  const read = from.data
  useEffect(() => {
    if (begun !== null) return
    const empty = { name: '', remark: '', everywhere: false, groupIds: [], devices: [], place: DEFAULT_PLACE }
    if (id !== null && found) {
      const { id: _, pages: values, customerId, ...rest } = found
      setBegun({ ...rest, customerId, chosen: chosenFrom(values) })
    } else if (id === null && fromId === undefined)
      setBegun({ ...empty, customerId: undefined, chosen: {}, edition: undefined })
    else if (id === null && read)
      setBegun({ ...empty, customerId: undefined, chosen: chosenFrom(read.pages), edition: undefined })
  }, [id, fromId, found, read, begun])
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={t(id === null ? 'config-template:create' : 'config-template:edit')}
      size={920}
    >
      {begun ? (
        <Form
          {...edited}
          edition={begun.edition}
          begun={begun}
          onEdit={() => setEdited(true)}
          onCancel={close}
          onSaved={leave}
        />
      ) : (
        <>
          <ReadBar read={id === null ? from : stored} />
          {(id === null ? from : stored).error ? null : <Skeleton h={320} />}
        </>
      )}
    </Drawer>
  )
}
