/** Whether an address is the device itself, seen from its LAN or from outside, and not a machine behind it. */
import { docOf, unsealTexts } from '#infra/config/config-store'
import type { Context } from '#infra/context'
import { ifReadable } from '#infra/secrets'
import { isBehind } from '#schema/remote/remote-access'

type Known = { addresses: string[]; document: string | null }

const withoutMask = (address: string) => address.split('/')[0] ?? ''

/** By what it reports, and by the networks of its configuration. */
export async function isOwnAddress(
  { sql, env }: Pick<Context, 'sql' | 'env'>,
  deviceId: number,
  host: string,
): Promise<boolean> {
  const [known] = await sql<Known[]>`
    select array(
        select value ->> 'ip' from device_sections where device_id = ${deviceId} and value ->> 'ip' is not null
        union select ip from device_states where device_id = ${deviceId} and ip is not null) as addresses,
      (select document from device_configs where device_id = ${deviceId}) as document`
  const { addresses = [], document = null } = known ?? {}
  const texts = ifReadable(() => unsealTexts(document, env.JWT_SECRET))
  const configured = (docOf(texts ?? {})['network']?.sections ?? [])
    .flatMap(({ options }) => options)
    .flatMap(({ name, value }) => (name === 'ipaddr' ? value : []))
  return [...addresses, ...configured].map(withoutMask).includes(host)
}

/** A forwarded connection to the device itself cannot be recorded, and its shell may listen on any port and address of its own. */
export const leadsToShell = async (
  ctx: Pick<Context, 'sql' | 'env'>,
  deviceId: number,
  target: { host: string },
): Promise<boolean> => !isBehind(target) || isOwnAddress(ctx, deviceId, target.host)
