/** The address at which devices reach a server, as returned by the api: without a host it is the one of this page. */
export const reachedAt = (address: string | undefined): string =>
  address?.startsWith(':') ? `${location.hostname}${address}` : (address ?? '')

/** For the commands of mosquitto. */
export function hostAndPort(address: string | undefined): string {
  const [host, port] = reachedAt(address).split(':')
  return `-h ${host} -p ${port}`
}
