/** What the browser stores of a login [§3 Client-side stored values]: three cookies and some local storage. */
import type { Access } from '#schema/kit/call'
import type { Permission } from '#schema/kit/permission'
import type { Language } from '#schema/kit/refusal'
import { DEFAULT_LANGUAGE, languages } from '#schema/kit/refusal'
import type { Screen } from '#schema/kit/screen'
import type { UserDetails } from '#schema/people/session'
import { LANGUAGE_COOKIE } from '#schema/platform/first-files'

const YEAR_S = 365 * 86_400

const COOKIES = { token: 'token', functions: 'permission', menus: 'menu' } as const

export function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  try {
    return found ? decodeURIComponent(found.slice(name.length + 1)) : null
  } catch {
    // Not ours: another application of the same host has used the name.
    return null
  }
}

/** Without `maxAgeS` the cookie ends with the browser session. */
export function writeCookie(name: string, value: string, maxAgeS?: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  // The Cookie Store API is not in every supported browser.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${age}${secure}`
}

let kiosk: string | null = null
/** This tab shows a big screen by its link, regardless of who is logged in in this browser. */
export function enterKiosk(linked: string) {
  kiosk = linked
}
/** Its pictures are not loaded by <img>, which would send the cookie of the logged-in user. */
export const isKiosk = () => kiosk !== null
export const token = () => kiosk ?? readCookie(COOKIES.token)
export function storeToken(value: string) {
  writeCookie(COOKIES.token, value)
  own = value
}

/** The token whose user this tab shows; undefined: of none yet. All tabs of a browser share the cookie. */
let own: string | undefined
/** From now on this tab shows the user of the stored token. */
export function adoptToken() {
  own = token() ?? undefined
}
/** Another tab has logged in, or logged out: requests of this tab would be made in the wrong name. */
export const isTokenForeign = () => own !== undefined && token() !== own

const readIds = (name: string) =>
  new Set(
    (readCookie(name) ?? '')
      .split('.')
      .filter((part) => part !== '')
      .map(Number),
  )

let functionIds: Set<number> | null = null
export function storePermissions(functions: readonly number[], menus: readonly number[]) {
  functionIds = new Set(functions)
  writeCookie(COOKIES.functions, functions.join('.'))
  writeCookie(COOKIES.menus, menus.join('.'))
}

/** A new set whenever permissions change, so that memoized components re-render. */
export function heldRights(): ReadonlySet<number> {
  functionIds ??= readIds(COOKIES.functions)
  return functionIds
}
/** What something offered by the console needs: its own permission, and those of what its form lets choose from. */
export type Needed = Permission | readonly Permission[]
/** Whether this user has the permissions. Used by buttons; the server checks again. */
export const can = (needed: Needed): boolean =>
  'id' in needed ? heldRights().has(needed.id) : needed.every(({ id }) => heldRights().has(id))
/**
 * Whether the server would answer this user's call, as far as is known: not before the first answer about the user, which no read waits for. The link of a
 * big screen has rights of its own.
 */
export const mayCall = ({ permission }: { permission: Access }): boolean =>
  typeof permission === 'string' || isKiosk() || readCookie(COOKIES.functions) === null || can(permission)
export const holdsMenu = (menuId: number) => readIds(COOKIES.menus).has(menuId)
/** Whether the current user may open this screen. */
export const holdsScreen = ({ menuId, permission }: Pick<Screen, 'menuId' | 'permission'>): boolean =>
  (menuId === undefined || holdsMenu(menuId)) && (permission === undefined || can(permission))

/** The user whose drafts are kept, also while an expired login is renewed in place. */
let present: string | null = null
export const userId = () => present ?? localStorage.getItem('user_id')

export function storeUser(user: UserDetails) {
  present = String(user.user_id)
  const values: Record<string, string | number | null> = {
    user_id: user.user_id,
    client_user_id: user.user_id,
    roleId: user.roleid,
    user_ctid: user.user_ctid,
    user_iscustomer: user.user_iscustomer,
    defaultGroupId: user.defaultGroupId,
    monState: user.monState,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, String(value))
  }
}

/** [§4] en-US, zh-TW, otherwise zh-CN. */
function storedLanguage(): Language {
  const stored = localStorage.getItem('I18n')
  return languages.find((known) => known === stored) ?? DEFAULT_LANGUAGE
}

let shown: Language | undefined
/** Another tab may choose another language; this page would mix the two, and lack the texts of the new one. It has its own until it is reloaded. */
export function keepLanguage() {
  shown = storedLanguage()
}
export const language = (): Language => shown ?? storedLanguage()

export const hasChosenLanguage = () => localStorage.getItem('I18n') !== null

/** From now on the server sends pages with the texts of this language. */
export const tellLanguage = () => writeCookie(LANGUAGE_COOKIE, storedLanguage(), YEAR_S)

/** [§2 Layout] Choosing a language reloads the page. */
export function chooseLanguage(next: Language) {
  localStorage.setItem('I18n', next)
  tellLanguage()
  location.reload()
}

export const DRAFT_PREFIX = 'draft:'

/**
 * [§8 Codes 2 and 20] Deletes token, menu and permission cookies and local storage, except the language and drafts,
 * which belong to their user (docs/decisions/015). Data in memory stays, for a login renewed in place.
 */
export function clearStored() {
  for (const name of Object.values(COOKIES)) writeCookie(name, '', 0)
  for (const name of Object.keys(localStorage))
    if (name !== 'I18n' && !name.startsWith(DRAFT_PREFIX)) localStorage.removeItem(name)
  localStorage.setItem('I18n', storedLanguage())
}

/** [§4] Opening /login deletes everything except the language (and the colour scheme, which is a cookie). */
export function clearSession() {
  clearStored()
  functionIds = null
  present = null
  own = undefined
  sessionStorage.clear()
}
