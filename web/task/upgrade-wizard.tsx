import { Button, Group, Stepper, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { cutText } from '#schema/kit/cut-text'
import { getConfigFileList } from '#schema/task/config-file'
import { addConfig, getConfigTaskList } from '#schema/task/config-task'
import { getPackageList } from '#schema/task/package'
import { packageTitle } from '#schema/task/package-title'
import { getTaskList } from '#schema/task/task-calls'
import { addLevelUp } from '#schema/task/upgrade'
import { ActionButton } from '../kit/action-button.tsx'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { DraftNote } from '../kit/form/draft-note.tsx'
import { declaredForm } from '../kit/form/forms.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { t } from '../kit/i18n.ts'
import { sendOnce } from '../kit/in-flight.ts'
import { useNarrow } from '../kit/narrow.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction, useCall } from '../kit/query.ts'
import { mayCall } from '../kit/session.ts'
import { useNow } from '../kit/time.tsx'
import classes from './task.module.css'
import { taskPath } from './task-kinds.ts'
import {
  type ChosenFile,
  configOf,
  creationOf,
  type Draft,
  emptyDraft,
  handOver,
  keepDraft,
  restoreDraft,
  targetOf,
  type WizardOf,
} from './upgrade-draft.ts'
import { usePreflight } from './upgrade-verdict.tsx'
import { useWizardAddress } from './upgrade-wizard-address.ts'
import { asChosen, WizardConfig } from './upgrade-wizard-config.tsx'
import { WizardDevices } from './upgrade-wizard-devices.tsx'
import { WizardPackage } from './upgrade-wizard-package.tsx'
import { WizardReview } from './upgrade-wizard-review.tsx'

const NAME_MAX = 64

/** The model of another package replaces the previous one in the filter, unless the user chose a different one. */
function withFile(before: Draft, row: ChosenFile): Draft {
  const { spId, name, version, model, type } = row
  const followed =
    model !== null && (before.filter.model === undefined || before.filter.model === before.chosen?.model)
  return {
    ...before,
    chosen: { spId, name, version, model, type },
    filter: followed ? { ...before.filter, model } : before.filter,
  }
}

/** The file that the address names, if it is for one of this kind. */
function useNamed(of: WizardOf, spId: string, enabled: boolean) {
  const body = { spId: Number(spId) }
  const packages = useCall(getPackageList, body, { enabled: enabled && of === 'package' })
  const files = useCall(getConfigFileList, body, { enabled: enabled && of === 'config' })
  const rows = of === 'package' ? packages.data?.list : files.data?.list.map(asChosen)
  const { isFetched } = of === 'package' ? packages : files
  return { named: rows?.[0], isFetched }
}

/** The draft; parameters passed in the URL are applied once and removed from it. */
function useDraft(of: WizardOf) {
  const [address, setAddress] = useWizardAddress()
  const [restored] = useState(() => restoreDraft(of))
  const [restoredAt, setRestoredAt] = useState(restored.at)
  const [draft, setDraft] = useState(restored.draft)
  const stored = useRef(restored.draft)
  useEffect(() => {
    // A restored draft keeps the time of its last change.
    if (draft === stored.current) return
    stored.current = draft
    keepDraft(of, draft)
  }, [draft, of])
  const { dids, filter, spId } = address
  const open = address.new === '1'
  useUnsaved(of === 'package' ? 'upgrade' : 'configTask', open && draft !== emptyDraft)
  const { named, isFetched } = useNamed(of, spId, open && spId !== '')
  const settled = spId === '' || isFetched
  useEffect(() => {
    if (!open || !settled || (dids === '' && filter === '' && spId === '')) return
    setDraft((before) => {
      const next = handOver(named ? withFile(before, named) : before, dids, filter)
      return { ...next, step: next.chosen ? 1 : 0 }
    })
    void setAddress({ dids: null, filter: null, spId: null })
  }, [open, settled, named, dids, filter, spId, setAddress])
  return {
    open,
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    choose: (row: ChosenFile) => setDraft((before) => withFile(before, row)),
    restoredAt,
    clear: () => {
      setDraft(emptyDraft)
      setRestoredAt(null)
    },
    close: () => setAddress({ new: null, dids: null, filter: null, spId: null }),
  }
}

/** The fields of the last step, where a refusal of one is shown at it. */
const reviewed: readonly string[] = declaredForm(addLevelUp)
  .fields.map(({ name }) => name)
  .filter((name) => name in emptyDraft && name !== 'filter')

function useSubmit(
  of: WizardOf,
  draft: Draft,
  offeredName: string,
  preflight: ReturnType<typeof usePreflight>,
  onDone: (taskId: number) => void,
) {
  const now = useNow()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<Error | null>(null)
  const [open] = useState(() => new Map<string, Promise<void>>())
  const upgrade = useAction(addLevelUp, { quiet: true, refreshes: [getTaskList] })
  const config = useAction(addConfig, { quiet: true, refreshes: [getTaskList, getConfigTaskList] })
  const atMost = preflight.data?.matching
  const create = async (): Promise<number | null> => {
    if (of === 'config') {
      const body = configOf(draft, offeredName)
      return body && (await config.run({ ...body, atMost })).taskId
    }
    const body = creationOf(draft, offeredName)
    return body && (await upgrade.run({ ...body, atMost })).taskId
  }
  const send = async () => {
    setFailure(null)
    const wrong: Record<string, string> = {}
    if (draft.name?.trim() === '') wrong['name'] = t('form:required')
    if (draft.startAt && Date.parse(draft.startAt) <= now) wrong['startAt'] = t('upgrade:wizard.startPast')
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    try {
      const taskId = await create()
      if (taskId !== null) onDone(taskId)
    } catch (error) {
      if (isCancelled(error) || isSessionEnd(error)) return
      // More devices may match now than the user has seen.
      void preflight.refetch()
      if (error instanceof ApiError && error.field && reviewed.includes(error.field))
        setErrors({ [error.field]: error.message })
      else setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  // The bodies of two clicks may differ by the time until which devices join: they would make two tasks.
  const submit = () => sendOnce(open, 'create', send)
  return { errors, failure, submit, busy: upgrade.busy || config.busy }
}

/** The proposed name of the task. */
function nameFor(chosen: ChosenFile | null): string {
  if (!chosen) return ''
  const { name, version } = chosen
  const offered =
    version === null ? t('config-task:wizard.offeredName', { name }) : packageTitle(name, version)
  return cutText(offered, NAME_MAX)
}

function WizardContent({ of, wizard }: { of: WizardOf; wizard: ReturnType<typeof useDraft> }) {
  const { draft, change } = wizard
  const narrow = useNarrow()
  const offeredName = nameFor(draft.chosen)
  const config = of === 'config'
  const preflight = usePreflight(draft)
  const { errors, failure, submit, busy } = useSubmit(of, draft, offeredName, preflight, (taskId) => {
    wizard.clear()
    // The address first: Back, and the list's tab, must not open an empty wizard.
    void wizard.close().then(() => goTo(taskPath({ taskId })))
  })
  const FileStep = config ? WizardConfig : WizardPackage
  const eligible = preflight.data?.eligible ?? 0
  const ready = [draft.chosen !== null, targetOf(draft) !== null && eligible > 0, eligible > 0]
  const last = draft.step === 2
  const why = !mayCall(config ? addConfig : addLevelUp)
    ? t('kit:noRight')
    : ready[draft.step]
      ? null
      : last && preflight.isFetching && !preflight.data
        ? t('upgrade:wizard.checking')
        : draft.step === 0
          ? t(config ? 'config-task:wizard.needFile' : 'upgrade:wizard.needPackage')
          : t(config ? 'config-task:wizard.none' : 'upgrade:wizard.needDevices')
  const labels = [
    t(config ? 'config-task:field.file' : 'upgrade:wizard.package'),
    t('upgrade:wizard.devices'),
    t('upgrade:wizard.review'),
  ]
  return (
    <div className={classes['wizard']}>
      <Stepper
        active={draft.step}
        size="xs"
        iconSize={28}
        onStepClick={(step) => change({ step })}
        styles={narrow ? { separator: { marginInline: 4 }, stepBody: { marginInlineStart: 6 } } : {}}
      >
        {labels.map((label, i) => (
          <Stepper.Step
            key={label}
            label={narrow && i !== draft.step ? <VisuallyHidden>{label}</VisuallyHidden> : label}
            allowStepSelect={ready.slice(0, i).every(Boolean)}
          />
        ))}
      </Stepper>
      <div className={classes['wizardBody']}>
        <DraftNote at={wizard.restoredAt} onDiscard={wizard.clear} />
        {failure ? <ErrorBar error={failure} /> : null}
        {draft.step === 0 ? <FileStep chosen={draft.chosen} onChoose={wizard.choose} /> : null}
        {draft.step === 1 ? <WizardDevices draft={draft} change={change} /> : null}
        {last ? (
          <WizardReview
            draft={draft}
            change={change}
            preflight={preflight}
            offeredName={offeredName}
            errors={errors}
          />
        ) : null}
      </div>
      <div className={classes['wizardFoot']}>
        {draft.step === 0 ? (
          <Button variant="default" onClick={() => void wizard.close()}>
            {t('kit:cancel')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => change({ step: draft.step - 1 })}>
            {t('upgrade:wizard.back')}
          </Button>
        )}
        <Group gap={8} wrap="nowrap">
          {draft === emptyDraft ? null : (
            <Button variant="subtle" color="gray" onClick={wizard.clear}>
              {t('upgrade:wizard.startOver')}
            </Button>
          )}
          {last ? (
            <ActionButton
              rank="primary"
              label={t(config ? 'config-task:wizard.submit' : 'upgrade:wizard.submit', { count: eligible })}
              reason={why}
              busy={busy}
              onPress={() => void submit()}
            />
          ) : (
            <ActionButton
              rank="primary"
              label={t('upgrade:wizard.next')}
              reason={why}
              onPress={() => change({ step: draft.step + 1 })}
            />
          )}
        </Group>
      </div>
    </div>
  )
}

/** Three steps: file, devices, review. The choices are kept when it is closed. */
export function UpgradeWizard({ of }: { of: WizardOf }) {
  const wizard = useDraft(of)
  const narrow = useNarrow()
  return (
    <Drawer
      opened={wizard.open}
      onClose={() => void wizard.close()}
      title={t(of === 'config' ? 'config-task:wizard.title' : 'upgrade:wizard.title')}
      size={narrow ? '100%' : 680}
    >
      <WizardContent of={of} wizard={wizard} />
    </Drawer>
  )
}
