/** Choices among customers and users, for filters and forms. */
import { customerListPermission, getCustomerList } from '#schema/people/customer'
import { isPlatformType } from '#schema/people/session'
import { getUserList } from '#schema/people/user'
import { userListPermission } from '#schema/people/user-pages'
import type { Option } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'

const STALE_MS = 30_000
/** [§9] */
const CUSTOMERS_MAX = 500
const USERS_MAX = 1000

export const isPlatformUser = () => isPlatformType(me().user.userType)

/** [§6] A normal user sees some groups only: the server refuses what would hold for all devices of the customer. */
export const isConfined = () => me().user.userType === 'normal'
/** What a new object of this user holds for, unless they choose. */
export const ownScope = <W extends string>(whole: W) => (isConfined() ? 'groups' : whole)

/** The scopes that this user may choose, by their texts. */
export const scopeOptions = (texts: Readonly<Record<string, string>>, whole: string): readonly Option[] =>
  Object.entries(texts).flatMap(([value, label]) => (value === whole && isConfined() ? [] : { value, label }))

/** Only platform users can select customers. */
export function useCustomerOptions(): readonly Option[] {
  const enabled = isPlatformUser() && can(customerListPermission)
  const customers = useCall(getCustomerList, { limit: CUSTOMERS_MAX }, { enabled, staleMs: STALE_MS })
  return (customers.data?.list ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}

export function useUserOptions(): readonly Option[] {
  const users = useCall(
    getUserList,
    { limit: USERS_MAX },
    { enabled: can(userListPermission), staleMs: STALE_MS },
  )
  return (users.data?.list ?? []).map(({ user_id, username, realname }) => ({
    value: String(user_id),
    label: realname ? `${username} (${realname})` : username,
  }))
}
