/**
 * User names of auxiliary connections. A broker that binds each account to one client id, as Mosquitto does, needs one account for each of them; all others
 * take `{sn}` as the user name of all connections, too.
 */

/** Beside the main connection of a device. */
export const AUXILIARY_CONNECTIONS = 4

/** `{sn}:1` to `{sn}:4`: user name and client id alike. `:` is not allowed in serial numbers. */
export const auxiliaryUsers = (sn: string): string[] =>
  Array.from({ length: AUXILIARY_CONNECTIONS }, (_, index) => `${sn}:${index + 1}`)

/** The serial number whose auxiliary connection this user name is for; null: it is no such name. */
export function auxiliaryOwner(username: string): string | null {
  const sn = username.slice(0, username.lastIndexOf(':'))
  return sn !== '' && auxiliaryUsers(sn).includes(username) ? sn : null
}
