/**
 * Fields of forms about users and customers: choices that are searched on the server, and that depend on other
 * fields.
 */

import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useState } from 'react'
import { getGroupTree, queryGroupKeyword } from '#schema/group/group'
import type { templateRoles } from '#schema/kit/permission'
import { getCustomerList } from '#schema/people/customer'
import { getRoleOptions } from '#schema/people/role'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { customerOf } from './owned-choice.tsx'
import { isPlatformUser } from './people-options.ts'
import { roleText } from './role-name.ts'

/** The template that the first user of a new customer is offered. */
const ADMINISTRATOR: (typeof templateRoles)[number] = 'customerAdmin'
const FOUND_MAX = 20
/** All of them: a role that was not among these would be taken for one that may not be given any more. */
const ROLES_MAX = 10_000
/** In the opened field; more are found by typing. */
const ROLES_SHOWN = 200
const STALE_MS = 10_000

/** For `find`: the first matches among the customers. */
export function useFoundCustomers(search: string): readonly Option[] {
  const found = useCall(
    getCustomerList,
    { limit: FOUND_MAX, ...(search ? { search } : {}) },
    { enabled: isPlatformUser(), keepPrevious: true, staleMs: STALE_MS },
  )
  return (found.data?.list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}

const roleOption = ({ id, name, template }: { id: number; name: string; template: boolean }): Option => ({
  value: String(id),
  label: roleText(name, template),
})

/** Roles of a customer, or of the platform, by name. */
export function useRoleNames(customerId: number | null): readonly Option[] {
  const roles = useCall(
    getRoleOptions,
    { limit: ROLES_MAX, ...(customerId ? { customerId } : {}) },
    { staleMs: STALE_MS },
  )
  return (roles.data?.list ?? []).map(roleOption)
}

/** Groups by name. */
export function useGroupNames(): readonly Option[] {
  const tree = useCall(getGroupTree, {}, { staleMs: STALE_MS })
  return (tree.data?.list ?? []).map(({ gid, groupName }) => ({ value: String(gid), label: groupName }))
}

/** Roles that match the type and customer selected above, and grant no more than the user has. */
export function RoleField({ name: path, label, hint, required, value, error, set, values }: Drawn) {
  const platform = values['userType'] === 'systemAdmin'
  const customerId = platform ? undefined : customerOf(values)
  // The form of a new customer has no type field: the user is an administrator.
  const newCustomer = values['userType'] === undefined
  const enabled = platform || customerId !== undefined || newCustomer
  const roles = useCall(
    getRoleOptions,
    { limit: ROLES_MAX, ...(customerId ? { customerId } : {}), ...(newCustomer ? { newCustomer } : {}) },
    { enabled, staleMs: STALE_MS },
  )
  const administrator = newCustomer
    ? roles.data?.list.find(({ name, template }) => template && name === ADMINISTRATOR)
    : undefined
  const offered = administrator ? String(administrator.id) : ''
  const offer = useEffectEvent(() => value === '' && set(offered))
  useEffect(() => {
    if (offered !== '') offer()
  }, [offered])
  // After a change of type or customer the selected role may not be offered any more.
  const gone = roles.data?.list.every(({ id }) => String(id) !== String(value)) && value !== ''
  const forget = useEffectEvent(() => set(''))
  useEffect(() => {
    if (gone) forget()
  }, [gone])
  return (
    <Select
      data-path={path}
      label={label}
      description={enabled ? hint : t('user:customerFirst')}
      withAsterisk={required}
      disabled={!enabled}
      searchable
      limit={ROLES_SHOWN}
      nothingFoundMessage={t('list:noMatch')}
      data={(roles.data?.list ?? [])
        .toSorted((one, other) => Number(other === administrator) - Number(one === administrator))
        .map(roleOption)}
      value={value ? String(value) : null}
      onChange={set}
      error={error}
    />
  )
}

/** Groups of the selected customer; `known` are those selected before the form was opened. */
export const groupsField = (known: readonly { gid: number; groupName: string }[]) =>
  function GroupsField({ name: path, label, hint, required, value, error, set, values }: Drawn) {
    const [search, setSearch] = useState('')
    const [typed] = useDebouncedValue(search, SEARCH_PAUSE_MS)
    const [seen, setSeen] = useState<ReadonlyMap<string, string>>(
      new Map(known.map(({ gid, groupName }) => [String(gid), groupName])),
    )
    const cid = customerOf(values)
    const found = useCall(
      queryGroupKeyword,
      { limit: FOUND_MAX, ...(cid ? { cid } : {}), ...(typed ? { groupname: typed } : {}) },
      { enabled: cid !== undefined, keepPrevious: true, staleMs: STALE_MS },
    )
    const chosen = Array.isArray(value) ? value.map(String) : []
    const options = new Map(
      (found.data?.list ?? []).map(({ gid, groupName, parentName }) => [
        String(gid),
        parentName ? `${parentName} / ${groupName}` : groupName,
      ]),
    )
    for (const id of chosen) if (!options.has(id)) options.set(id, seen.get(id) ?? id)
    return (
      <MultiSelect
        data-path={path}
        label={label}
        description={cid === undefined ? t('user:customerFirst') : hint}
        withAsterisk={required}
        disabled={cid === undefined}
        searchable
        clearable
        hidePickedOptions
        // The server has already filtered.
        filter={({ options: all }) => all}
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={t('list:noMatch')}
        data={[...options].map(([id, name]) => ({ value: id, label: name }))}
        value={chosen}
        onChange={(next) => {
          setSeen(new Map([...seen, ...options]))
          set(next)
        }}
        error={error}
      />
    )
  }
