/** Rows that must exist before a sampled body is accepted. */
import { Secret, TOTP } from 'otpauth'
import { makeTotp } from '#api/people/totp-codes'
import type { Context } from '#infra/context'
import { seal } from '#infra/secrets'
import { sampleDoc } from '#schema/config/sample-doc'
import { configure } from '../configured.ts'
import { holdShell } from '../shell-device.ts'
import { TEST_PASSWORD, type Tenant } from '../tenants.ts'

type Body = Readonly<Record<string, unknown>>
export type Accepted = {
  body?: (tenant: Tenant) => Body
  /** The user, for calls that work on the user's own data. Default: the super administrator. */
  who?: (tenant: Tenant) => { username: string }
  /** What an upload sends. */
  file?: () => Promise<Buffer>
  /** Run first with the sampled ids; its result is merged into the body. */
  first?: (context: Context, tenant: Tenant, ids: Body) => Promise<Body | undefined>
}

/** Created by another user. */
export const waitsForApproval: Accepted['first'] = async ({ sql }, _tenant, { taskId }) => {
  await sql`update tasks set approval = 'waiting', paused_at = now(), pause_reason = 'approval', approval_until = now() + interval '1 day' where id = ${Number(taskId)}`
  return undefined
}
/** Requested by another user. */
export const waitingAccess: Accepted['first'] = async ({ sql }, _tenant, { accessId }) => {
  await sql`update remote_accesses set state = 'waiting' where id = ${Number(accessId)}`
  return undefined
}
/** Its tunnel is held here, and leads to a shell. */
export const heldShell: Accepted['first'] = async (_context, _tenant, { sessionId }) => {
  const { path } = await holdShell(String(sessionId))
  return { path }
}
/** An online device without work. */
export const online = async ({ sql }: Context, { customerId, devices }: Tenant) => {
  await sql`update device_states set online = true from devices d where d.id = device_id and d.customer_id = ${customerId}`
  const free = devices.at(-1)?.id
  return { deviceId: free, dids: [free] }
}
export async function addServer({ sql }: Context, { customerId }: Tenant) {
  const [made] = await sql<{ id: number }[]>`
    insert into n2n_servers (name, address, port, version, token_hash)
    values ('Server', 'sn.example.test', ${10_000 + customerId}, 3, ${`hash ${customerId}`}) returning id`
  return { serverId: made?.id }
}
/** A second factor that waits for its first code, or is in use. */
export const secondFactor =
  (inUse: boolean) =>
  async ({ sql, env }: Context, { admin }: Tenant) => {
    const { secret, sealed } = makeTotp(admin.username, env.JWT_SECRET)
    await sql`update users set totp_secret = ${sealed}, totp_at = ${inUse ? new Date() : null} where id = ${admin.id}`
    return { passwd: TEST_PASSWORD, totp: new TOTP({ secret: Secret.fromBase32(secret) }).generate() }
  }
/** A device with a configuration; `more`: how it differs from what was set, or is on trial. */
export const configured =
  (more: 'edited' | 'drifted' | 'onTrial' | 'read'): Accepted['first'] =>
  async (context, { devices, admin }) => {
    const device = devices[0]
    if (!device) throw new Error('no device')
    const network = sampleDoc['network']
    await configure(
      context,
      device.id,
      more === 'drifted'
        ? { desired: { network: { name: 'network', sections: network?.sections.slice(0, 4) ?? [] } } }
        : {},
    )
    if (more === 'onTrial')
      await context.sql`update device_configs set pending_revision = 1 where device_id = ${device.id}`
    if (more === 'edited')
      await context.sql`
        insert into config_drafts (device_id, page, customer_id, changes, fields, updated_by)
        values (${device.id}, 'wan', ${device.customerId}, ${seal('{"metric":77}', context.env.JWT_SECRET)}, '["metric"]', ${admin.id})`
    return { deviceId: device.id }
  }

/** The device can have an n2n edge, and its group an account on a server. */
export const inCommunity: Accepted['first'] = async (context, tenant, ids) => {
  const { sql, env } = context
  await configured('read')?.(context, tenant, ids)
  const { serverId } = await addServer(context, tenant)
  await sql`update device_configs set abilities = '["n2n"]' where device_id = ${tenant.devices[0]?.id ?? 0}`
  await sql`
    update groups set remote_account = ${`acme-${tenant.groups.root}`}, remote_password = ${seal('open-sesame', env.JWT_SECRET)},
      n2n_server_id = ${serverId ?? 0}
    where id = ${tenant.groups.root}`
  return undefined
}
