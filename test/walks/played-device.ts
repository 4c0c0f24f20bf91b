/** A device that a test plays: it has opened the tunnel of a session, which leads to a port of this machine. */
import { once } from 'node:events'
import { connect } from 'node:net'
import ssh2 from 'ssh2'
import { tunnelPassword } from '#infra/remote-key'
import type { RemoteKind } from '#schema/remote/remote-access'
import type { Booted } from '../boot.ts'
import type { Tenants, TestDevice } from '../tenants.ts'

type Played = { device: TestDevice; port: number; kind: RemoteKind }

export async function playDevice(
  { context: { sql, env } }: Booted,
  { a }: Tenants,
  { device, port, kind }: Played,
): Promise<{ sessionId: string; close(): void }> {
  const scheme = { terminal: 'ssh', web: 'http', lan: 'http', forward: 'tcp' }[kind]
  const [made] = await sql<{ id: string; commandId: string }[]>`
    with c as (insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at)
      values (gen_random_uuid(), ${device.id}, ${a.customerId}, 'openTunnel',
        '{"listenPort": 2200}'::jsonb, 'sent', now(), now() + interval '1 minute') returning id)
    insert into remote_sessions (id, device_id, customer_id, user_id, login_id, token_id, command_id, kind, scheme, host, port, expires_at)
    select gen_random_uuid(), ${device.id}, ${a.customerId}, u.id,
      case when ${kind} <> 'forward' then (select id from sessions where user_id = u.id limit 1) end,
      case when ${kind} = 'forward' then (select max(id) from api_tokens where user_id = u.id) end,
      c.id, ${kind}, ${scheme}, '127.0.0.1', ${port}, now() + interval '1 hour'
    from c, users u where u.username = ${a.admin.username} returning id, command_id as "commandId"`
  const { id: sessionId = '', commandId = '' } = made ?? {}
  const client = new ssh2.Client()
  client.on('tcp connection', (_from, accept, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.once('error', () => reject())
    socket.once('connect', () => {
      const channel = accept()
      socket.on('error', () => channel.destroy())
      channel.on('error', () => socket.destroy())
      // As OpenSSH does it: each end on its own.
      socket.pipe(channel)
      channel.pipe(socket)
      socket.on('close', () => channel.close())
      channel.on('close', () => socket.destroy())
    })
  })
  const expiresAt = Date.now() + 60_000
  client.connect({
    host: '127.0.0.1',
    port: env.SSH_PORT,
    username: device.sn,
    password: tunnelPassword(env.JWT_SECRET, { sessionId, commandId, sn: device.sn, expiresAt }),
  })
  await once(client, 'ready')
  await new Promise<void>((done, fail) =>
    client.forwardIn('127.0.0.1', 2200, (error) => (error ? fail(error) : done())),
  )
  return { sessionId, close: () => client.destroy() }
}
