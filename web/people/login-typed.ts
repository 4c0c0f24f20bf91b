/**
 * Who wanted to log in when a choice of language reloaded the login page; the password is typed again, because a
 * storage is no place for it. In the session storage of this tab during the reload only: reading it, before the login
 * page clears the storage, removes it.
 */
const KEY = 'login-typed'

export type LoginTyped = { way: 'username' | 'email'; name: string }

export const keepTyped = (typed: LoginTyped) => sessionStorage.setItem(KEY, JSON.stringify(typed))

export function takeTyped(): LoginTyped {
  const stored = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const typed = stored === null ? null : (JSON.parse(stored) as LoginTyped)
  return typed ?? { way: 'username', name: '' }
}
