import type { MqttAddresses } from '#schema/device/enrol'
import { splitHostPort } from '#schema/platform/host-port'

/**
 * The address at which devices reach a server, as returned by the api: without a host it is the one of this page. null:
 * they do not.
 */
export const reachedAt = (address: string | null | undefined): string | null =>
  address?.startsWith(':') ? `${location.hostname}${address}` : (address ?? null)

/** For the commands of mosquitto, with TLS where there is nothing else; null: neither is offered. */
export function mosquittoOptions(mqtt: MqttAddresses | undefined): string | null {
  const address = reachedAt(mqtt?.plain ?? mqtt?.tls)
  if (address === null) return null
  const { host, port } = splitHostPort(address)
  return `-h ${host} -p ${port}${mqtt?.plain ? '' : ' --capath /etc/ssl/certs'}`
}
