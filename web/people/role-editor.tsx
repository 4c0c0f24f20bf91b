import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { cutText } from '#schema/kit/cut-text'
import type { EditConflict } from '#schema/kit/edition'
import {
  addRole,
  getRoleList,
  getRoleOptions,
  modifyRole,
  roleEditPermission,
  viewAsPermission,
} from '#schema/people/role'
import { ActionButton } from '../kit/action-button.tsx'
import { ApiError, isCancelled, isSessionEnd } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { Drawer } from '../kit/dialog.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { ConflictNote, type Difference } from '../kit/form/conflict-note.tsx'
import { conflictOf, mergedSets } from '../kit/form/edit-conflict.ts'
import { boundsOf } from '../kit/form/forms.ts'
import { useUnsaved } from '../kit/form/unsaved.ts'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { useAction } from '../kit/query.ts'
import { useFoundCustomers } from './people-fields.tsx'
import { isPlatformUser } from './people-options.ts'
import { PermissionTree } from './permission-tree.tsx'
import classes from './role.module.css'
import { RoleChanges } from './role-changes.tsx'
import {
  changesBetween,
  type LeafKey,
  NO_GRANTS,
  toGrants,
  toKeys,
  usePermissionTree,
} from './role-grants.ts'
import { RolePreview } from './role-preview.tsx'
import { type RoleTask, roleAbout, roleName } from './role-row.ts'

const firstName = ({ mode, source }: RoleTask) =>
  source === null
    ? ''
    : mode === 'create'
      ? cutText(t('role:copyOf', { name: roleName(source) }), 64)
      : roleName(source)

const firstAbout = ({ mode, source }: RoleTask) =>
  source === null ? '' : ((mode === 'look' ? roleAbout(source) : source.description) ?? '')

const titleOf = ({ mode, source }: RoleTask) =>
  mode === 'create'
    ? t(source ? 'role:duplicate' : 'role:create')
    : t(mode === 'edit' ? 'role:edit' : 'role:look', { name: source ? roleName(source) : '' })

/** The role as currently saved. */
const roleSides = ({ edition, now }: EditConflict) => ({
  edition,
  name: String(now['name'] ?? ''),
  about: String(now['description'] ?? ''),
  keys: toKeys({ functionIds: now['functionIds'] as number[], menuIds: now['menuIds'] as number[] }),
})

type Props = { task: RoleTask; opened: boolean; onClose: () => void }

export function RoleEditor({ task, opened, onClose }: Props) {
  const { mode, source } = task
  const { tree } = usePermissionTree()
  // The initial values of the edit, updated after another user has saved.
  const [began, setBegan] = useState(() => ({
    edition: source?.edition,
    name: firstName(task),
    about: firstAbout(task),
    keys: toKeys(source ?? NO_GRANTS),
  }))
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const before = began.keys
  const [name, setName] = useState(() => firstName(task))
  const [description, setDescription] = useState(() => firstAbout(task))
  // A copy of a customer's role is for the same customer unless changed.
  const [customerId, setCustomerId] = useState(source?.customerId ? String(source.customerId) : '')
  const [keys, setKeys] = useState(before)
  const [shown, setShown] = useState<'changes' | 'preview' | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)

  const refreshes = [getRoleList, getRoleOptions]
  const adding = useAction(addRole, { quiet: true, refreshes, success: t('role:saved') })
  const changing = useAction(modifyRole, { quiet: true, refreshes, success: t('role:saved') })
  const busy = adding.busy || changing.busy
  const locked = mode === 'look'
  const changes = changesBetween(tree, before, keys)
  const dirty = !locked && (changes.length > 0 || name !== began.name || description !== began.about)
  const saved = useUnsaved(`role ${source?.id ?? 'new'}`, opened && dirty)
  const forCustomer = !isPlatformUser() || customerId !== ''

  const close = async () => {
    // It cannot be discarded any more, and the answer would close whatever role is open by then.
    if (busy) return
    const discards = { title: t('form:discardTitle'), text: t('form:discardText') }
    if (dirty && !(await ask({ ...discards, verb: t('form:discard'), danger: true }))) return
    saved()
    onClose()
  }
  const save = async () => {
    setFailure(null)
    const grants = toGrants(keys)
    const fields = {
      name,
      description,
      functionIds: [...grants.functionIds],
      menuIds: [...grants.menuIds],
    }
    try {
      if (mode === 'edit' && source)
        await changing.run({ roleId: source.id, ...fields, edition: began.edition })
      else await adding.run({ ...fields, ...(customerId ? { customerId: Number(customerId) } : {}) })
      saved()
      onClose()
    } catch (error) {
      setShown(null)
      const other = conflictOf(error)
      if (other) return setConflict(other)
      if (!isCancelled(error) && !isSessionEnd(error))
        setFailure(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const sides = conflict ? roleSides(conflict) : null
  const goOn = (mine: boolean) => {
    if (!sides) return
    setBegan(sides)
    setConflict(null)
    setName(mine && name !== began.name ? name : sides.name)
    setDescription(mine && description !== began.about ? description : sides.about)
    setKeys(mine ? mergedSets(before, sides.keys, keys) : sides.keys)
  }
  const countOf = (other: ReadonlySet<LeafKey>) => {
    const made = changesBetween(tree, before, other)
    const n = (kind: 'added' | 'removed') => made.reduce((sum, change) => sum + change[kind].length, 0)
    return `+${n('added')} −${n('removed')}`
  }
  const differences: Difference[] = sides
    ? [
        {
          name: 'name',
          label: t('role:field.name'),
          theirs: sides.name,
          mine: name === began.name ? null : name,
          differs: sides.name !== began.name,
        },
        {
          name: 'description',
          label: t('role:field.description'),
          theirs: sides.about || UNKNOWN,
          mine: description === began.about ? null : description || UNKNOWN,
          differs: sides.about !== began.about,
        },
        {
          name: 'keys',
          label: t('role:field.grants'),
          theirs: countOf(sides.keys),
          mine: changes.length === 0 ? null : countOf(keys),
          differs: changesBetween(tree, before, sides.keys).length > 0,
        },
      ].filter(({ differs }) => differs)
    : []
  const atName = failure instanceof ApiError && failure.field === 'name'
  return (
    <Drawer
      opened={opened}
      onClose={() => void close()}
      title={titleOf(task)}
      size={880}
      classNames={{ content: classes['drawer'] ?? '', body: classes['body'] ?? '' }}
    >
      <Stack gap="sm" pb="sm">
        {failure && !atName ? <ErrorBar error={failure} /> : null}
        {conflict ? (
          <ConflictNote
            who={conflict}
            differences={differences}
            onMine={() => goOn(true)}
            onTheirs={() => goOn(false)}
          />
        ) : null}
        {locked ? (
          <Text c="dimmed">{t(source?.template ? 'role:templateLocked' : 'role:beyond')}</Text>
        ) : null}
        <TextInput
          label={t('role:field.name')}
          withAsterisk
          {...boundsOf(addRole, 'name')}
          readOnly={locked}
          value={name}
          error={atName ? failure.message : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('role:field.description')}
          autosize
          minRows={1}
          {...boundsOf(addRole, 'description')}
          readOnly={locked}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {isPlatformUser() && mode === 'create' ? (
          <FindField
            label={t('role:field.customer')}
            description={t('role:customerHint')}
            placeholder={t('role:kind.platform')}
            useFound={useFoundCustomers}
            known={
              source?.customerId
                ? { value: String(source.customerId), label: source.customerName ?? '' }
                : undefined
            }
            value={customerId || null}
            onChange={(value) => setCustomerId(value === null ? '' : String(value))}
          />
        ) : null}
        <PermissionTree keys={keys} onChange={setKeys} locked={locked} forCustomer={forCustomer} />
      </Stack>
      <div className={classes['foot']}>
        <ActionButton
          icon={IconEye}
          label={t('role:viewAs.verb')}
          permission={viewAsPermission}
          onPress={() => setShown('preview')}
        />
        <Button variant="default" onClick={() => void close()}>
          {t(locked ? 'kit:close' : 'kit:cancel')}
        </Button>
        {locked ? null : (
          <ActionButton
            rank="primary"
            label={
              changes.length === 0
                ? t('kit:save')
                : t('role:review.verb', {
                    count: changes.reduce((n, c) => n + c.added.length + c.removed.length, 0),
                  })
            }
            permission={roleEditPermission}
            reason={name.trim() === '' ? t('role:nameMissing') : null}
            onPress={() => setShown('changes')}
          />
        )}
      </div>
      <RoleChanges
        opened={shown === 'changes'}
        onClose={() => (busy ? undefined : setShown(null))}
        name={name}
        changes={changes}
        users={mode === 'edit' ? (source?.userCount ?? 0) : 0}
        busy={busy}
        onSave={() => void save()}
      />
      <RolePreview
        opened={shown === 'preview'}
        onClose={() => setShown(null)}
        name={name}
        grants={toGrants(keys)}
        platform={!forCustomer}
      />
    </Drawer>
  )
}
