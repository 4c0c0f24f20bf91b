import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { getConfigList } from '#schema/config/config-list'
import { applyMany, getChangeImpact, getConfigValues, previewMany } from '#schema/config/config-many'
import { TYPED_ABOVE } from '#schema/device/unusual'
import { getTaskList } from '#schema/task/task-calls'
import { taskListScreen } from '#schema/task/task-pages'
import type { ManyDevices } from '../device/chosen-devices.ts'
import { ActionButton, SubmitButton } from '../kit/action-button.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar, ReadBar } from '../kit/error-bar.tsx'
import { useLeave } from '../kit/form/leave.ts'
import { number } from '../kit/format.ts'
import { loadWords, t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction, useCall } from '../kit/query.ts'
import { makeRequestId } from '../kit/server/request-id.ts'
import { GuardFields } from '../task/guard-fields.tsx'
import { LeftOutList } from '../task/left-out.tsx'
import { noRollout, proposedGuard, rolloutBody } from '../task/rollout-choice.ts'
import { RolloutFields } from '../task/rollout-fields.tsx'
import { WizardPick } from '../task/upgrade-wizard-pick.tsx'
import { type Chosen, chosenFrom, countOf, faultIn, pagesOf } from './chosen-fields.ts'
import { ChosenValues } from './chosen-values.tsx'
import { pageNamed, pages, pageTitle, pageWords } from './config-pages.ts'
import { ImpactNote } from './impact-note.tsx'
import { useImpact } from './use-impact.ts'

// Before the first page is drawn; this module is loaded when the drawer is opened.
await loadWords([
  ...pageWords,
  'config',
  'config-many',
  'command-many',
  'device-state',
  'rollout',
  'severity',
  'task',
  'upgrade',
])

/** What a device has under one page is proposed for the others; absent: empty pages. */
export type ManyWanted = { many: ManyDevices | null; fromId?: number; by: 'values' | 'templates' }
type Props = ManyWanted & { opened: boolean; onClose: () => void }
type Picked = Parameters<typeof WizardPick>[0]['picked']
type Sending = Props & { many: ManyDevices; chosen: Chosen; back: () => void; sent: Map<string, string> }

const firstPage = () => pages[0]?.name ?? ''

/** Which devices get the change, its effect there, and how it is rolled out. */
function Send({ many, fromId, by, chosen, back, sent, onClose }: Sending) {
  const values = by === 'values' ? pagesOf(chosen) : {}
  const names = Object.keys(values)
  const change = { ...many.selection, by, pages: values, ...(fromId === undefined ? {} : { fromId }) }
  const [rollout, setRollout] = useState(noRollout)
  const [guard, setGuard] = useState(proposedGuard)
  const [name, setName] = useState(() =>
    by === 'templates'
      ? t('config-many:templatesName')
      : names.map((one) => pageTitle(pageNamed(one) ?? { word: 'config', name: one })).join(t('kit:comma')),
  )
  const [typed, setTyped] = useState('')
  const preview = useCall(previewMany, { ...many.selection, pages: names }, { once: true })
  const counted = useImpact(getChangeImpact, change)
  const action = useAction(applyMany, {
    refreshes: [getTaskList, getConfigList],
    quiet: true,
    onDone: ({ taskId }) => {
      onClose()
      many.after?.()
      goTo(`${taskListScreen.path}/${taskId}`)
    },
  })
  const found = preview.data
  const eligible = found?.eligible ?? 0
  const isTyped = eligible > TYPED_ABOVE
  const ready = eligible > 0 && name.trim() !== '' && (!isTyped || typed.trim() === String(eligible))
  const send = () => {
    // One change of one drawer creates one task, even if it is submitted several times, also after a look back.
    const what = JSON.stringify(change)
    const requestId = sent.get(what) ?? makeRequestId()
    sent.set(what, requestId)
    action.start({
      ...change,
      name: name.trim().slice(0, 64),
      requestId,
      ...rolloutBody(rollout),
      ...guard,
      atMost: found?.matching ?? 0,
    })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) send()
      }}
    >
      <Stack gap="md">
        {many.preview}
        {preview.error ? <ErrorBar error={preview.error} onRetry={() => void preview.refetch()} /> : null}
        {action.error ? <ErrorBar error={action.error} /> : null}
        {found ? (
          <>
            <Alert color={eligible > 0 ? 'blue' : 'yellow'} role="status">
              <Text fw={600}>
                {t('command-many:ask.eligible', {
                  eligible: number(eligible),
                  matching: number(found.matching),
                })}
              </Text>
              <Text size="sm">
                {found.confirmS === 0 && by === 'values' ? t('config-many:noTrial') : t('config-many:trial')}
              </Text>
            </Alert>
            <LeftOutList leftOut={found.leftOut} />
          </>
        ) : preview.error ? null : (
          <Skeleton height={72} />
        )}
        <ImpactNote {...counted} />
        <TextInput
          label={t('upgrade:field.name')}
          value={name}
          maxLength={64}
          withAsterisk
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <GuardFields
          value={{ ...guard, waves: rollout.waves }}
          change={(part) => setGuard((before) => ({ ...before, ...part }))}
          total={eligible}
          config
        />
        <RolloutFields value={rollout} change={(part) => setRollout((before) => ({ ...before, ...part }))} />
        {isTyped ? (
          <TextInput
            label={t('kit:typeToConfirm', { text: String(eligible) })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            inputMode="numeric"
          />
        ) : null}
        <Group justify="flex-end">
          {by === 'values' ? (
            <Button variant="default" onClick={back}>
              {t('config-many:back')}
            </Button>
          ) : null}
          <SubmitButton
            label={t('config-many:send', { count: eligible })}
            busy={action.busy}
            reason={
              ready
                ? null
                : eligible === 0
                  ? t('config-many:none')
                  : name.trim() === ''
                    ? t('config-many:nameMissing')
                    : t('kit:typeToConfirm', { text: String(eligible) })
            }
          />
        </Group>
      </Stack>
    </form>
  )
}

/** The values of the device that is copied from, of the pages that it has. */
function Copied({ fromId, begin }: { fromId: number; begin: (chosen: Chosen) => void }) {
  const read = useCall(getConfigValues, { deviceId: fromId }, { once: true })
  const found = read.data
  const [wanted, setWanted] = useState<readonly string[]>([])
  if (!found) return read.error ? <ReadBar read={read} /> : <Skeleton h={240} />
  const own = pages.filter(({ name }) => found.pages[name] !== undefined)
  return (
    <Stack>
      <Text size="sm">{t('config-many:copyText')}</Text>
      <Group gap="xs">
        {own.map((page) => (
          <Button
            key={page.name}
            size="compact-md"
            variant={wanted.includes(page.name) ? 'filled' : 'default'}
            aria-pressed={wanted.includes(page.name)}
            onClick={() =>
              setWanted(
                wanted.includes(page.name)
                  ? wanted.filter((one) => one !== page.name)
                  : [...wanted, page.name],
              )
            }
          >
            {pageTitle(page)}
          </Button>
        ))}
      </Group>
      <Group justify="flex-end">
        <ActionButton
          rank="primary"
          label={t('config-many:next')}
          reason={wanted.length === 0 ? t('config-many:choosePages') : null}
          onPress={() =>
            begin(
              chosenFrom(
                Object.fromEntries(wanted.map((name) => [name, found.pages[name] ?? {}])) as Parameters<
                  typeof chosenFrom
                >[0],
              ),
            )
          }
        />
      </Group>
    </Stack>
  )
}

/** Configures many devices: pages, fields and values; then what that would do; then the task. */
export function ConfigMany(props: Props) {
  const { opened, onClose, by, fromId } = props
  const [picked, setPicked] = useState<Picked>([])
  const [many, setMany] = useState(props.many)
  const [chosen, setChosen] = useState<Chosen | null>(fromId === undefined ? {} : null)
  const [page, setPage] = useState(firstPage)
  const [sends, setSends] = useState(by === 'templates')
  /** The request id of each change that was sent. */
  const [sent] = useState(() => new Map<string, string>())
  const fault = chosen ? faultIn(chosen) : null
  const isEdited = opened && countOf(chosen ?? {}) > 0
  const { close, leave } = useLeave('many configurations', isEdited, onClose)
  const begin = (next: Chosen) => {
    setChosen(next)
    setPage(Object.keys(next)[0] ?? firstPage())
  }
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={many === null ? t('config-many:copyTo') : t('config-many:title', { count: many.count })}
      size={920}
    >
      {many === null ? (
        <Stack>
          <WizardPick picked={picked} model={undefined} without={fromId} onChange={setPicked} />
          <Group justify="flex-end">
            <ActionButton
              rank="primary"
              label={t('config-many:next')}
              reason={picked.length === 0 ? t('config-many:pickDevices') : null}
              onPress={() =>
                setMany({ name: null, count: picked.length, selection: { dids: picked.map(({ id }) => id) } })
              }
            />
          </Group>
        </Stack>
      ) : chosen === null && fromId !== undefined ? (
        <Copied fromId={fromId} begin={begin} />
      ) : sends ? (
        <Send
          {...props}
          onClose={leave}
          many={many}
          chosen={chosen ?? {}}
          back={() => setSends(false)}
          sent={sent}
        />
      ) : (
        <Stack>
          <ChosenValues chosen={chosen ?? {}} change={setChosen} page={page} open={setPage} />
          <Group justify="flex-end">
            <ActionButton
              rank="primary"
              label={t('config-many:next')}
              reason={
                countOf(chosen ?? {}) === 0
                  ? t('config-many:nothing')
                  : fault
                    ? t('config-many:faulty', {
                        page: pageTitle(pageNamed(fault.page) ?? { word: 'config', name: fault.page }),
                      })
                    : null
              }
              onPress={() => setSends(true)}
            />
          </Group>
        </Stack>
      )}
    </Drawer>
  )
}
