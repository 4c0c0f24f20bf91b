/**
 * The logged-in user: details, functions and menus, fetched once per page load and stored in the session's cookies.
 */
import { useSyncExternalStore } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { areas } from '#schema/kit/screen'
import { getMenu, getUserDetails, showFunctionList, type UserDetails } from '#schema/people/session'
import { request } from './api.ts'
import { adoptToken, storePermissions, storeUser, token } from './session.ts'

export type Menu = ReplyOf<typeof getMenu>
/** The user's permissions, named in their language. */
export type HeldFunction = ReplyOf<typeof showFunctionList>['list'][number]
export type Me = {
  user: UserDetails
  menus: { management: Menu; monitor: Menu }
  functions: readonly HeldFunction[]
}

/** `token` is undefined after a failed renewal: the next navigation tries again. */
let held: { token: string | null | undefined; loading: Promise<Me>; me?: Me } | undefined

/** These requests belong to the shell: navigation does not cancel them. */
const ownSignal = () => new AbortController().signal

async function ask(): Promise<Me> {
  const asked = token()
  const [user, functions, management, monitor] = await Promise.all([
    request(getUserDetails, {}, ownSignal()),
    request(showFunctionList, {}, ownSignal()),
    request(getMenu, { funTag: areas.management }, ownSignal()),
    request(getMenu, { funTag: areas.monitor }, ownSignal()),
  ])
  // Meanwhile another user may have logged in, or nobody is any more: this would be stored over theirs.
  if (asked === token()) {
    storeUser(user)
    storePermissions(
      functions.list.map(({ functionId }) => functionId),
      [...new Set([...management.menuIds, ...monitor.menuIds])],
    )
  }
  return { user, menus: { management, monitor }, functions: functions.list }
}

/** @throws ApiError; a failure is not cached, so the next navigation tries again. */
export async function loadMe(): Promise<Me> {
  if (!held) adoptToken()
  const now = token()
  // After a login renewed in place the shell keeps its data until the response arrives.
  if (!held || held.token !== now) held = { ...held, token: now, loading: ask() }
  const mine = held
  try {
    mine.me = await mine.loading
    return mine.me
  } catch (error) {
    if (held === mine) held = mine.me ? { ...mine, token: undefined } : undefined
    throw error
  }
}

const watchers = new Set<() => void>()

/** Fetches again: permissions, menus or the customer's look have changed; the shell is re-rendered. */
export async function renewMe(): Promise<Me> {
  const mine = { token: token(), loading: ask() }
  const me = await mine.loading.catch((error) => {
    // What is held is old: whoever loads it next asks again.
    if (held) held = { ...held, token: undefined }
    throw error
  })
  if (mine.token === token()) {
    held = { ...mine, me }
    for (const watcher of watchers) watcher()
  }
  return me
}

/** Like `me`, and re-renders when it changes. */
export const useMe = (): Me | undefined =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => held?.me,
  )

/** At logout. */
export function forgetMe() {
  held = undefined
}

/** For use inside the shell, which is rendered only after loadMe. */
export function me(): Me {
  if (!held?.me) throw new Error('the shell is drawn before its user is known')
  return held.me
}
