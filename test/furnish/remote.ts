import { furnish } from '../furnish.ts'

const CAST = [
  { version: 2, width: 80, height: 24, timestamp: 1795392000 },
  [0.1, 'o', 'root@R200:~# '],
  [1.5, 'o', 'uname\r\nLinux\r\nroot@R200:~# '],
  [61, 'o', 'exit\r\n'],
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

export const furnishRemote = furnish(async ({ sql, files }, tenant) => {
  const [made] = await sql<{ id: string }[]>`
    insert into remote_sessions (id, device_id, customer_id, user_id, command_id, kind, scheme, host, port, end_detail, expires_at)
    values (gen_random_uuid(), ${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, ${tenant.admin.id}, gen_random_uuid(),
      'terminal', 'ssh', '127.0.0.1', 22, ${`${tenant.name} remote`}, now() + interval '1 hour') returning id`
  const file = files.create()
  await new Promise<void>((done) => file.stream.end(CAST, () => done()))
  await file.keep()
  const [recording] = await sql<{ id: string }[]>`
    insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, state, ended_at, duration_ms, size_bytes, file_key)
    values (gen_random_uuid(), ${made?.id ?? ''}, ${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, ${tenant.admin.id},
      ${`${tenant.name} root`}, 'ended', now(), 61000, ${CAST.length}, ${file.key}) returning id`
  const [access] = await sql<{ id: number }[]>`
    insert into remote_accesses (device_id, customer_id, user_id, reason, minutes, state, decided_at, until)
    values (${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, ${tenant.admin.id}, ${`${tenant.name} repair`}, 30, 'approved', now(), now() + interval '1 hour')
    returning id`
  return {
    shared: { accessId: access?.id, sessionId: made?.id, recordingId: recording?.id },
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
