/** Choices among customers and users, for filters and forms. */
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { LIST_LIMIT_MAX, type Listed } from '#schema/kit/list'
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
const CUSTOMERS_FIRST = 500
const USERS_FIRST = 1000

export const isPlatformUser = () => isPlatformType(me().user.userType)

/** [§6] A normal user sees some groups only: the server refuses what would hold for all devices of the customer. */
export const isConfined = () => me().user.userType === 'normal'
/** What a new object of this user holds for, unless they choose. */
export const ownScope = <W extends string>(whole: W) => (isConfined() ? 'groups' : whole)

/** The scopes that this user may choose, by their texts. */
export const scopeOptions = (texts: Readonly<Record<string, string>>, whole: string): readonly Option[] =>
  Object.entries(texts).flatMap(([value, label]) => (value === whole && isConfined() ? [] : { value, label }))

type ListCall = Call & { reply: Listed<Call['reply']> }

/** All rows of a list, for a choice: the first `limit`, and then all if there are more. */
export function useAllRows<C extends ListCall>(
  call: C,
  body: BodyOf<C> & { limit: number },
  enabled = true,
): ReplyOf<C>['list'] {
  const first = useCall(call, body, { enabled, staleMs: STALE_MS })
  const total = first.data?.total ?? 0
  const isPart = total > body.limit
  const whole = { ...body, limit: Math.min(LIST_LIMIT_MAX, Math.ceil(total / body.limit) * body.limit) }
  const all = useCall(call, whole, { enabled: enabled && isPart, staleMs: STALE_MS })
  return ((isPart && all.data) || first.data)?.list ?? []
}

/** Only platform users can select customers. */
export function useCustomerOptions(): readonly Option[] {
  const enabled = isPlatformUser() && can(customerListPermission)
  return useAllRows(getCustomerList, { limit: CUSTOMERS_FIRST }, enabled).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }))
}

export function useUserOptions(): readonly Option[] {
  const users = useAllRows(getUserList, { limit: USERS_FIRST }, can(userListPermission))
  return users.map(({ user_id, username, realname }) => ({
    value: String(user_id),
    label: realname ? `${username} (${realname})` : username,
  }))
}
