import { Alert, Group, Skeleton, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { configApplyPermission } from '#schema/config/commands/config'
import {
  discardConfigDraft,
  fillConfigDraft,
  getConfigPage,
  getDeviceConfig,
  reviewConfig,
  saveConfigDraft,
} from '#schema/config/device-config'
import type { ReplyOf } from '#schema/kit/call'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { ApiError, isSessionEnd } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { ErrorBar, ReadBar } from '../kit/error-bar.tsx'
import { ConflictNote } from '../kit/form/conflict-note.tsx'
import { changedNames, conflictOf, merged, same } from '../kit/form/edit-conflict.ts'
import { errorsOf } from '../kit/form/error-texts.ts'
import { FormField } from '../kit/form/form-fields.tsx'
import { isWide } from '../kit/form/form-layout.ts'
import { type FormValues, isAsked, textOr } from '../kit/form/form-model.ts'
import { KnownNamesContext } from '../kit/form/known-names.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import kit from '../kit/kit.module.css'
import { nameText } from '../kit/known-name.ts'
import { useAction, useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import classes from './config.module.css'
import { type DeclaredPage, fieldsOfPage, pageTitle } from './config-pages.ts'
import { faultsOfEdit, onShownRows, toInput, toServer } from './config-values.ts'
import { PageField } from './page-field.tsx'
import { namesOfDevice } from './page-names.ts'
import { type Refused, useRefusal } from './use-refusal.ts'

type Read = ReplyOf<typeof getConfigPage>

type FormProps = {
  deviceId: number
  page: DeclaredPage
  /** What the form began with. */
  read: Read
  /** What the server has now: somebody else may have saved, or the device may run other values. */
  latest: Read
  /** Edits on top of `read` that an earlier form was left with. */
  mine: FormValues | null
  refused: Refused
  again: () => void
  /** Begins again with `latest`, and these edits. */
  goOn: (mine: FormValues | null) => void
}

const whoOf = ({ changedBy: by, changedAt: at }: Read) => ({
  by: by === PLATFORM_NAME ? null : by,
  platform: by === PLATFORM_NAME,
  at,
})

const refreshes = [getDeviceConfig, getConfigPage, reviewConfig]
/** Bar, tabs and head of a device's page, and a margin. */
const PAGE_HEAD_PX = 220

function PageForm({ deviceId, page, read, latest, mine, refused, again, goOn }: FormProps) {
  const fields = fieldsOfPage(page)
  const [failure, setFailure] = useState<Error | null>(null)
  const mayEdit = can(configApplyPermission)
  const labelOf = (path: string) => fields.find((field) => field.path === path.split('.')[0])?.label ?? path
  const running = toInput(page.fields, read.running)
  const form = useForm<FormValues>({
    initialValues: toInput(page.fields, read.values),
    validateInputOnBlur: true,
    validate: (values) => errorsOf(faultsOfEdit(page.fields, values, running), labelOf),
    initialErrors: Object.fromEntries(read.faults.map(({ path, message }) => [path, message])),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form begins once
  useEffect(() => {
    if (mine) form.setValues(mine)
  }, [])
  useRefusal(form, refused)
  const save = useAction(saveConfigDraft, { quiet: true, refreshes, success: t('config:saved') })
  const base = form.getInitialValues()
  const theirs = toInput(page.fields, latest.values)
  // Both have edited at least one of these; what only they did is simply shown.
  const differing =
    // While it is saved here, news may be what is saved.
    latest === read || save.busy || !form.isDirty()
      ? []
      : changedNames(base, theirs).filter((name) => !same(theirs[name], form.values[name]))
  const overlaps = differing.some((name) => !same(base[name], form.values[name]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only news from the server are followed
  useEffect(() => {
    if (latest === read || save.busy || overlaps) return
    goOn(form.isDirty() ? merged(base, theirs, form.values) : null)
  }, [latest, overlaps, save.busy])
  const saved = useUnsaved(`config ${deviceId} ${page.name}`, form.isDirty())
  const discard = useAction(discardConfigDraft, { refreshes, success: t('config:discarded') })
  const fill = useAction(fillConfigDraft, { refreshes, success: t('config:saved') })
  const submit = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      await save.run({
        deviceId,
        page: page.name,
        values: toServer(page.fields, values),
        edition: read.edition,
      })
      form.resetDirty(values)
      saved()
    } catch (error) {
      // The dialog over the page says it, and the form is saved after it.
      if (isSessionEnd(error)) return
      if (conflictOf(error)) {
        // Edits of other fields are merged below: to be looked at before it is saved again.
        void toast('warning', (error as Error).message)
        return again()
      }
      const field = error instanceof ApiError ? error.field?.replace(/^values\./, '') : undefined
      if (field && fields.some(({ path }) => path === field.split('.')[0])) {
        form.setFieldError(field, (error as ApiError).message)
        form.getInputNode(field)?.focus()
      } else setFailure(error as Error)
    }
  })
  const changed = new Set(read.changed)
  const names = namesOfDevice(page, form.values, read.names)
  return (
    <form onSubmit={submit} noValidate>
      {failure ? <ErrorBar error={failure} /> : null}
      {overlaps ? (
        <ConflictNote
          headPx={PAGE_HEAD_PX}
          who={whoOf(latest)}
          differences={fields
            .filter(({ name }) => differing.includes(name))
            .map((field) => ({
              name: field.name,
              label: field.label,
              theirs: (
                <PageField
                  page={page.name}
                  field={field.name}
                  value={theirs[field.name]}
                  beside={form.values[field.name]}
                />
              ),
              mine: same(base[field.name], form.values[field.name]) ? null : (
                <PageField
                  page={page.name}
                  field={field.name}
                  value={form.values[field.name]}
                  beside={theirs[field.name]}
                />
              ),
            }))}
          onMine={() => goOn(onShownRows(page.fields, merged(base, theirs, form.values), read, latest))}
          onTheirs={() => goOn(null)}
        />
      ) : null}
      <KnownNamesContext value={names}>
        <fieldset
          disabled={!mayEdit}
          className={`${classes['grid']} ${kit['lined']}`}
          // Apart from the note above it.
          style={overlaps ? { marginTop: 16 } : undefined}
        >
          {fields
            .filter((field) => isAsked(field, form.values))
            .map((field) => (
              <div
                key={field.path}
                data-wide={isWide(field) || undefined}
                data-changed={changed.has(field.name) || undefined}
              >
                <FormField field={field} form={form} />
                {changed.has(field.name) ? (
                  <Text size="xs" c="dimmed" component="div" className={classes['running'] ?? ''}>
                    {t('config:review.before')}{' '}
                    <PageField
                      page={page.name}
                      field={field.name}
                      value={read.running[field.name]}
                      beside={read.values[field.name]}
                    />
                  </Text>
                ) : null}
              </div>
            ))}
        </fieldset>
      </KnownNamesContext>
      <Group justify="space-between" mt="md" gap="xs">
        <Text size="sm" c="dimmed" component="div">
          {read.changedAt ? (
            <>
              {t('config:editedBy', { name: nameText(read.changedBy) ?? '—', count: read.changed.length })} ·{' '}
              <When at={read.changedAt} />
            </>
          ) : null}
        </Text>
        <Group gap="xs">
          {page.filledFrom ? (
            <ActionButton
              label={textOr(`${page.word}:fill`, page.name) ?? page.name}
              permission={configApplyPermission}
              busy={fill.busy}
              reason={form.isDirty() ? t('config:saveFirst') : null}
              onPress={() => fill.start({ deviceId, page: page.name })}
            />
          ) : null}
          {read.changed.length > 0 ? (
            <ActionButton
              label={t('config:discard')}
              permission={configApplyPermission}
              busy={discard.busy || save.busy} // what is being saved would come back
              onPress={() => {
                // Otherwise what was not saved yet would be kept, on top of what runs.
                form.reset()
                discard.start({ deviceId, page: page.name })
              }}
            />
          ) : null}
          <SubmitButton
            label={t('config:save')}
            busy={save.busy}
            reason={mayEdit ? (form.isDirty() ? null : t('form:unchanged')) : t('kit:noRight')}
          />
        </Group>
      </Group>
    </form>
  )
}

type Props = {
  deviceId: number
  page: DeclaredPage
  refused: Refused
  /** Changes with the draft of this page and with what the device runs. */
  version: string
}

/** One page of a device. What other users save meanwhile is shown, on top of it what is edited here. */
export function ConfigForm({ deviceId, page, refused, version }: Props) {
  const read = useCall(getConfigPage, { deviceId, page: page.name })
  const [begun, setBegun] = useState<{ read: Read; mine: FormValues | null; nth: number } | null>(null)
  const latest = read.data
  const again = () => void read.refetch()
  // Whoever watches the list of pages sees it first there.
  const seen = useRef(version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is read again
  useEffect(() => {
    if (seen.current === version) return
    seen.current = version
    again()
  }, [version])
  useEffect(() => {
    if (latest) setBegun((last) => last ?? { read: latest, mine: null, nth: 0 })
  }, [latest])
  return (
    <Card
      title={pageTitle(page)}
      side={
        <Text size="xs" c="dimmed">
          {carriedText(page)}
        </Text>
      }
    >
      <ReadBar read={read} />
      {page.trial === 'none' ? null : (
        <Alert variant="light" icon={<IconInfoCircle size={18} stroke={1.5} />} mb="md" py={8}>
          {t(`config:trial.${page.trial}`)}
        </Alert>
      )}
      {begun ? (
        <PageForm
          key={begun.nth}
          deviceId={deviceId}
          page={page}
          read={begun.read}
          latest={latest ?? begun.read}
          mine={begun.mine}
          refused={refused}
          again={again}
          goOn={(mine) => latest && setBegun({ read: latest, mine, nth: begun.nth + 1 })}
        />
      ) : read.error ? null : (
        <Skeleton h={320} />
      )}
    </Card>
  )
}

const carriedText = ({ carriedBy }: DeclaredPage): string =>
  typeof carriedBy === 'string'
    ? t(`config:carriedBy.${carriedBy}`)
    : t('config:carriedBy.package', { name: carriedBy.package })
