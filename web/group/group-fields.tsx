/** The fields for creating and editing groups. */

import { TextInput } from '@mantine/core'
import { type GroupRow, getGroupTree } from '#schema/group/group'
import { remoteDefault } from '#schema/group/group-remote'
import { listN2nServer, n2nServerEditPermission, n2nServerListPermission } from '#schema/group/n2n-server'
import { getUserList } from '#schema/people/user'
import { userListPermission } from '#schema/people/user-pages'
import { remoteApprovePermission } from '#schema/remote/access-pages'
import { useChangedAlone } from '../kit/form/changed-alone.ts'
import type { Drawn, Field, FormValues } from '../kit/form/form-model.ts'
import { t, textsIn } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { isPlatformUser, useAllRows, useCustomerOptions } from '../people/people-options.ts'

const STALE_MS = 30_000
const USERS_FIRST = 1000
const SERVERS_FIRST = 1000

/** Groups that may have subgroups, by path: "South / Kiosks · Acme". */
export function useParentOptions(): readonly Option[] {
  const tree = useCall(getGroupTree, {}, { staleMs: STALE_MS })
  const { list = [], customers = [] } = tree.data ?? {}
  const byId = new Map(list.map((group) => [group.gid, group]))
  const owners = new Map(customers.map(({ cid, customerName }) => [cid, customerName]))
  const options = list
    .filter(({ level }) => level < 3)
    .map((group) => {
      const parent = group.parentGroupId === null ? undefined : byId.get(group.parentGroupId)
      const way = parent ? `${parent.groupName} / ${group.groupName}` : group.groupName
      const whose = customers.length > 1 ? ` · ${owners.get(group.cid) ?? ''}` : ''
      return { value: String(group.gid), label: `${way}${whose}` }
    })
  return [{ value: '0', label: t('group:firstLevel') }, ...options]
}

function useOwnerOptions(cid: number): readonly Option[] {
  const users = useAllRows(getUserList, { limit: USERS_FIRST, customerId: cid }, can(userListPermission))
  const found = users.map(({ user_id, username, realname }) => ({
    value: String(user_id),
    label: realname ? `${username} (${realname})` : username,
  }))
  return [{ value: '0', label: t('group:nobody') }, ...found]
}

function useServerOptions(): readonly Option[] {
  const servers = useAllRows(listN2nServer, { limit: SERVERS_FIRST })
  return [
    { value: '0', label: t('group:noServer') },
    ...servers.map(({ id, name, address, port }) => ({
      value: String(id),
      label: `${name} · ${address}:${port}`,
    })),
  ]
}

/** [§4] The bridging toggle resets the remote IP; the server does the same, shown here immediately. */
function RemoteIp({ label, hint, value, error, set, values }: Drawn) {
  const bridged = values['n2nInfoBridge'] === true
  useChangedAlone(bridged, value, () => set(remoteDefault(bridged).ip))
  return (
    <TextInput
      label={label}
      description={hint}
      error={error}
      autoComplete="off"
      placeholder={remoteDefault(bridged).ip}
      value={String(value ?? '')}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

export const createFields = (): readonly (Field | string)[] => [
  { name: 'groupName', required: true },
  { name: 'parentGroupId', useOptions: useParentOptions },
  ...(isPlatformUser()
    ? [
        {
          name: 'cid',
          required: true,
          useOptions: useCustomerOptions,
          when: (values: FormValues) => !values['parentGroupId'] || values['parentGroupId'] === '0',
        } satisfies Field,
      ]
    : []),
]

export const editFields = (row: GroupRow): readonly (Field | string)[] => [
  { name: 'groupName', required: true },
  ...(can(userListPermission)
    ? [
        {
          name: 'uid',
          useOptions: () => useOwnerOptions(row.cid),
        } satisfies Field,
      ]
    : []),
  'dataPlanMb',
  ...(can(remoteApprovePermission)
    ? [
        {
          name: 'remoteApproval',
          hint: 'group:hint.remoteApproval',
          choices: () => textsIn('group:remoteApproval'),
        } satisfies Field,
        {
          name: 'remoteTargets',
          hint: 'group:hint.remoteTargets',
          placeholder: '192.168.1.0/24:80,443',
        } satisfies Field,
      ]
    : []),
  { name: 'name', hint: 'group:hint.account' },
  {
    name: 'password',
    hint: row.hasPassword ? 'group:hint.passwordKept' : 'group:hint.password',
  },
  { name: 'n2nInfoBridge', hint: 'group:hint.bridge' },
  { name: 'ip', Draw: RemoteIp },
  'n2nIfnoMaskbit',
  {
    name: 'loginType',
    choices: () => textsIn('group:loginType'),
  },
  {
    name: 'loginNum',
    when: (values) => values['loginType'] === 'allow',
  },
  ...(can(n2nServerEditPermission) && can(n2nServerListPermission)
    ? [
        {
          name: 'groupServiceDistribution',
          useOptions: useServerOptions,
        } satisfies Field,
      ]
    : []),
]

export const editValues = (row: GroupRow): FormValues => ({
  groupName: row.groupName,
  ...(can(userListPermission) ? { uid: String(row.uid ?? 0) } : {}),
  dataPlanMb: row.dataPlanMb ?? 0,
  ...(can(remoteApprovePermission)
    ? { remoteApproval: row.remoteApproval, remoteTargets: row.remoteTargets }
    : {}),
  name: row.name ?? '',
  n2nInfoBridge: row.n2nInfoBridge,
  ip: row.ip ?? '',
  n2nIfnoMaskbit: row.n2nIfnoMaskbit ?? '',
  loginType: row.loginType,
  loginNum: row.loginNum,
  ...(can(n2nServerEditPermission)
    ? { groupServiceDistribution: String(row.groupServiceDistribution ?? 0) }
    : {}),
})
