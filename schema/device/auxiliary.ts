/**
 * User names of auxiliary connections. A broker that binds each account to one client id, as Mosquitto does, needs one
 * account for each connection; all others also accept `{sn}` as the user name of every connection.
 */

/** Maximum number per device, besides its main connection. */
export const AUXILIARY_CONNECTIONS = 4

/** `{sn}:1` to `{sn}:4`: user name and client id alike. `:` is not allowed in serial numbers. */
export const auxiliaryUsers = (sn: string): string[] =>
  Array.from({ length: AUXILIARY_CONNECTIONS }, (_, index) => `${sn}:${index + 1}`)

/** The serial number whose auxiliary connection this user name is for; null if it is not such a name. */
export function auxiliaryOwner(username: string): string | null {
  const sn = username.slice(0, username.lastIndexOf(':'))
  return sn !== '' && auxiliaryUsers(sn).includes(username) ? sn : null
}
