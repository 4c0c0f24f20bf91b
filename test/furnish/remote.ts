import { furnish } from '../furnish.ts'

export const furnishRemote = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: string }[]>`
    insert into remote_sessions (id, device_id, customer_id, user_id, command_id, kind, scheme, host, port, end_detail, expires_at)
    values (gen_random_uuid(), ${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, ${tenant.admin.id}, gen_random_uuid(),
      'terminal', 'ssh', '127.0.0.1', 22, ${`${tenant.name} remote`}, now() + interval '1 hour') returning id`
  return {
    shared: { sessionId: made?.id },
    // Accepted by the rules, so that the call gets as far as the ids.
    own: {
      'remote/openRemoteLan': { host: '192.168.1.10' },
      'remote/getFiles': { path: '/tmp' },
      'remote/downloadFile': { path: '/tmp/file' },
      'remote/uploadFile': { path: '/tmp/file' },
      'remote/deleteFile': { path: '/tmp/file' },
      'remote/openRemoteForward': { host: '192.168.1.10' },
    },
  }
})
