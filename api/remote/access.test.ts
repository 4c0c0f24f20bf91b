/** Access on approval: no session of a device whose group requires it is opened before a second person has approved. */
import { beforeEach, describe, expect, it } from 'vitest'
import { remoteApprovePermission } from '#schema/remote/access-pages'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { apiTest } from '#test/api-client'
import { sweepRemotes } from './remote-end.ts'
import { whyEnded } from './still-allowed.ts'

const { tenants, call, context, app, token } = await apiTest({
  SSH_PORT: '2222',
  PUBLIC_URL: 'https://cloud.example.test',
  REMOTE_URL: 'https://*.remote.example.test',
})
const { a, b, superAdmin } = tenants
const { sql } = context
const deviceId = a.devices[0]?.id ?? 0
const operator = a.admin
const approver = { username: 'approver_of_a' }
let approverId = 0

beforeEach(async () => {
  await sql`delete from remote_accesses`
  await sql`delete from remote_sessions`
  await sql`delete from commands`
  await sql`delete from mails`
  await sql`update groups set remote_approval = 'inherit'`
  await sql`update groups set remote_approval = 'required' where customer_id = ${a.customerId} and parent_id is null`
  await sql`update device_states set online = true where device_id = ${deviceId}`
  await sql`update devices set features = '["openTunnel"]'::jsonb where id = ${deviceId}`
  const [made] = await sql<{ id: number }[]>`
    insert into users (username, email, password_hash, type, role_id, customer_id)
    select ${approver.username}, 'approver@example.test', u.password_hash, u.type, u.role_id, u.customer_id
    from users u where u.id = ${operator.id}
    on conflict do nothing returning id`
  approverId = made?.id ?? approverId
})

const code = async (name: string, body: object, who: { username: string } = operator) =>
  (await call(name, body as never, who)).code
const open = (more: object = {}) =>
  call<{ sessionId: string }>('remote/openRemote', { deviceId, kind: 'terminal', ...more } as never, operator)
async function ask(minutes = 30): Promise<number> {
  const asked = await call<{ accessId: number }>(
    'remote/askAccess',
    { deviceId, reason: 'pump stands still', minutes } as never,
    operator,
  )
  expect(asked).toMatchObject({ code: 0 })
  return asked.data?.accessId ?? 0
}
const approve = (accessId: number, who = approver) =>
  call<{ until: string }>('remote/approveAccess', { accessId } as never, who)

describe('a device whose group demands an approval', () => {
  it('cannot be opened without one by any kind of session', async () => {
    expect(await open()).toMatchObject({ code: remoteRefusals.accessNeeded.code, field: 'deviceId' })
    for (const [name, body] of [
      ['remote/openRemoteLan', { deviceId, host: '192.168.1.10' }],
      ['remote/openRemoteForward', { deviceId, host: '192.168.1.10', port: 502 }],
    ] as const)
      expect(await code(name, body), name).toBe(remoteRefusals.accessNeeded.code)
    // Not even by the platform.
    expect(await code('remote/openRemote', { deviceId, kind: 'terminal' }, superAdmin)).toBe(
      remoteRefusals.accessNeeded.code,
    )
    expect((await sql`select 1 from commands`).length).toBe(0)
  })

  it('is open for the time that was approved, and a session lasts no longer', async () => {
    const approved = await approve(await ask(10))
    const until = Date.parse(approved.data?.until ?? '')
    expect(until - Date.now()).toBeGreaterThan(9 * 60_000)
    const { data } = await open()
    const [row] = await sql<{ expiresAt: Date }[]>`
      select expires_at as "expiresAt" from remote_sessions where id = ${data?.sessionId ?? ''}`
    expect(row?.expiresAt.getTime()).toBe(until)
    await call('remote/extendRemote', { sessionId: data?.sessionId } as never, operator)
    const [later] = await sql<{ expiresAt: Date }[]>`
      select expires_at as "expiresAt" from remote_sessions where id = ${data?.sessionId ?? ''}`
    expect(later?.expiresAt.getTime()).toBe(until)
  })

  it('a session ends when its approval is ended, and when the group begins to demand one', async () => {
    const accessId = await ask()
    await approve(accessId)
    const { data } = await open()
    const id = data?.sessionId ?? ''
    await sql`update remote_sessions set login_id = (select id from sessions where user_id = ${operator.id} and ended_at is null limit 1) where id = ${id}`
    const session = { id, userId: operator.id, host: '127.0.0.1', port: 22, deviceId }
    expect(await whyEnded(context, session)).toBeNull()
    expect(await code('remote/endAccess', { accessId }, approver)).toBe(0)
    expect(await whyEnded(context, session)).toBe('approvalOver')
    await sql`update groups set remote_approval = 'free' where id = (select group_id from devices where id = ${deviceId})`
    expect(await whyEnded(context, session)).toBeNull()
    await sql`update groups set remote_approval = 'required' where id = (select group_id from devices where id = ${deviceId})`
    expect(await whyEnded(context, session)).toBe('approvalOver')
  })

  it('a session that was open before its group began to require an approval says that it needs one', async () => {
    await sql`update groups set remote_approval = 'free'`
    const id = (await open()).data?.sessionId ?? ''
    await sql`update remote_sessions set login_id = (select id from sessions where user_id = ${operator.id} and ended_at is null limit 1) where id = ${id}`
    const session = { id, userId: operator.id, host: '127.0.0.1', port: 22, deviceId }
    expect(await whyEnded(context, session)).toBeNull()
    await sql`update groups set remote_approval = 'required'`
    expect(await whyEnded(context, session)).toBe('approvalNeeded')
  })

  it('a session that ends with its approval names that as the reason, and not its time limit', async () => {
    const reasonAt = async (id: string, at: number) => {
      await sweepRemotes({ ...context, now: () => new Date(at) })
      return (await sql`select end_reason as why from remote_sessions where id = ${id}`)[0]?.['why']
    }
    const until = Date.parse((await approve(await ask(10))).data?.until ?? '')
    const first = (await open()).data?.sessionId ?? ''
    await sql`update remote_sessions set state = 'ready', tunnel_at = now(), active_at = ${new Date(until)} where id = ${first}`
    expect(await reasonAt(first, until - 1)).toBeNull()
    expect(await reasonAt(first, until)).toBe('approvalOver')
    await sql`delete from commands`
    await sql`update groups set remote_approval = 'inherit'`
    const second = (await open()).data?.sessionId ?? ''
    await sql`update remote_sessions set state = 'ready', tunnel_at = now(), expires_at = now() where id = ${second}`
    expect(await reasonAt(second, Date.now() + 1000)).toBe('expired')
  })

  it('is open to nobody whom its former owner let in, when it has another owner', async () => {
    const given = a.devices[1]?.id ?? 0
    await sql`update groups set remote_approval = 'required' where customer_id = ${b.customerId} and parent_id is null`
    await sql`update devices set features = '["openTunnel"]'::jsonb where id = ${given}`
    const online = () => sql`update device_states set online = true where device_id = ${given}`
    const asPlatform = <T>(name: string, body: object) => call<T>(name, body as never, superAdmin)
    const asked = () =>
      asPlatform<{ accessId: number }>('remote/askAccess', {
        deviceId: given,
        reason: 'pump stands still',
        minutes: 60,
      })
    await online()
    expect((await approve((await asked()).data?.accessId ?? 0)).code).toBe(0)
    const opened = await asPlatform('remote/openRemote', { deviceId: given, kind: 'terminal' })
    expect(opened.code).toBe(0)
    const moved = await asPlatform('device/moveDevices', { dids: [given], groupId: b.groups.root })
    expect(moved).toMatchObject({ data: { changedCustomer: 1 } })
    const ends = await sql`select end_reason as why from remote_sessions where device_id = ${given}`
    expect(ends).toMatchObject([{ why: 'accessEnded' }])
    await online()
    expect((await asPlatform('remote/openRemote', { deviceId: given, kind: 'terminal' })).code).toBe(
      remoteRefusals.accessNeeded.code,
    )
    expect((await asked()).code).toBe(0)
  })

  it('cannot be approved by the requester or another customer, and one decision counts', async () => {
    const accessId = await ask()
    expect((await approve(accessId, operator)).code).toBe(remoteRefusals.accessOwn.code)
    expect((await approve(accessId, b.admin)).code).toBe(5)
    const codes = await Promise.all(
      [approver, superAdmin, approver].map(async (who, at) =>
        at === 1
          ? code('remote/refuseAccess', { accessId, note: 'no' }, who)
          : (await approve(accessId, who)).code,
      ),
    )
    expect(codes.filter((one) => one === 0)).toHaveLength(1)
    expect(codes.filter((one) => one === remoteRefusals.accessDecided.code)).toHaveLength(2)
  })

  it('one request of a user is open at a time; withdrawn, refused or expired opens nothing', async () => {
    const first = await ask()
    expect(await code('remote/askAccess', { deviceId, reason: 'again' })).toBe(
      remoteRefusals.accessAsked.code,
    )
    expect(await code('remote/endAccess', { accessId: first }, approver)).toBe(
      remoteRefusals.accessOthers.code,
    )
    expect(await code('remote/endAccess', { accessId: first })).toBe(0)
    expect((await approve(first)).code).toBe(remoteRefusals.accessDecided.code)
    expect((await open()).code).toBe(remoteRefusals.accessNeeded.code)
    const second = await ask()
    expect(await code('remote/refuseAccess', { accessId: second, note: 'not now' }, approver)).toBe(0)
    expect((await open()).code).toBe(remoteRefusals.accessNeeded.code)
    const third = await ask()
    await sql`update remote_accesses set until = now() - interval '1 second' where id = ${third}`
    expect((await approve(third)).code).toBe(remoteRefusals.accessDecided.code)
    await sweepRemotes(context)
    expect((await sql`select state from remote_accesses where id = ${third}`)[0]?.['state']).toBe('expired')
  })

  it('notifies only users who may approve, by mail and in the console', async () => {
    await sql`update users set email = 'operator@example.test' where id = ${operator.id}`
    const accessId = await ask()
    const mails = await sql<
      { recipient: string; text: string }[]
    >`select recipient, text from mails order by id`
    expect(mails.map(({ recipient }) => recipient)).toEqual(['approver@example.test'])
    expect(mails[0]?.text).toContain('pump stands still')
    expect(mails[0]?.text).toContain('https://cloud.example.test/device/remoteaccess')
    const awaited = (who: { username: string }) =>
      call<{ list: object[] }>('remote/getAwaitedAccess', {} as never, who)
    expect((await awaited(approver)).data?.list).toMatchObject([
      {
        accessId,
        deviceSn: expect.any(String),
        deviceName: expect.any(String),
        createdBy: operator.username,
      },
    ])
    expect((await awaited(operator)).data?.list).toEqual([])
    expect((await awaited(b.admin)).data?.list).toEqual([])
  })

  it('the mail is in the language of its reader’s console, not in that of who asks', async () => {
    const mailed = async () => {
      await sql`delete from remote_accesses`
      await ask()
      return (await sql<{ text: string }[]>`delete from mails returning text`).map(({ text }) => text)
    }
    expect(await mailed()).toEqual([expect.stringContaining('requests remote access')])
    const opened = (language: string) =>
      token(approver).then((held) =>
        app.inject({
          method: 'GET',
          url: '/api/user/getUserDetails',
          headers: { token: held, 'accept-language': language },
        }),
      )
    await opened('zh-TW')
    expect(await mailed()).toEqual([expect.stringContaining('申請遠端存取')])
    await opened('zh-CN')
    expect(await mailed()).toEqual([expect.stringContaining('申请远程访问')])
  })

  it('the mail names a user of the platform to others of it, but not to users of the customer', async () => {
    await sql`
      insert into users (username, email, password_hash, type, role_id)
      select 'second_of_platform', 'second@example.test', password_hash, type, role_id from users where id = ${superAdmin.id}
      on conflict do nothing`
    const mailed = async () => {
      await sql`delete from remote_accesses`
      await call('remote/askAccess', { deviceId, reason: 'pump', minutes: 10 } as never, superAdmin)
      return sql<
        { recipient: string; subject: string; text: string }[]
      >`delete from mails returning recipient, subject, text`
    }
    await sql`update users set email = 'approver@example.test' where id = ${approverId}`
    for (const { subject, text } of await mailed()) {
      expect(subject).not.toContain(superAdmin.username)
      expect(text).not.toContain(superAdmin.username)
    }
    await sql`update users set email = null where customer_id = ${a.customerId}`
    const mail = (await mailed()).find(({ recipient }) => recipient === 'second@example.test')
    expect(mail?.subject).toContain(`${superAdmin.username} requests access`)
    expect(mail?.text).toContain(`${superAdmin.username} requests remote access`)
    await sql`delete from users where username = 'second_of_platform'`
    await sql`update users set email = 'approver@example.test' where id = ${approverId}`
  })

  it('the nearest group with a setting decides, and only users who may approve can change it', async () => {
    const [group] = await sql<{ id: number }[]>`select group_id as id from devices where id = ${deviceId}`
    const edit = async () => {
      const found = await call<{ list: { gid: number; edition: string }[] }>(
        'device/getGroupList',
        { limit: 100 } as never,
        operator,
      )
      const { edition } = found.data?.list.find(({ gid }) => gid === group?.id) ?? {}
      return code('device/modifyGroupName', { gid: group?.id, remoteApproval: 'free', edition })
    }
    await sql`update roles set function_ids = array_remove(function_ids, ${remoteApprovePermission.id}) where id = (select role_id from users where id = ${operator.id})`
    expect(await edit()).toBe(5)
    await sql`update roles set function_ids = array_append(function_ids, ${remoteApprovePermission.id}::int) where id = (select role_id from users where id = ${operator.id})`
    expect(await edit()).toBe(0)
    expect((await open()).code).toBe(0)
    expect(await code('remote/askAccess', { deviceId, reason: 'why' })).toBe(remoteRefusals.accessFree.code)
  })
})

describe('the machines behind a device', () => {
  const reach = (host: string, port: number) =>
    code('remote/openRemoteForward', { deviceId, host, port }).then(async (answer) => {
      await sql`delete from remote_sessions`
      await sql`delete from commands`
      return answer
    })
  const groupOf = sql`(select group_id from devices where id = ${deviceId})`

  beforeEach(async () => {
    await sql`update groups set remote_approval = 'inherit', remote_targets = null`
    await sql`update customers set remote_targets = null`
  })

  it('are reached as the nearest group says, else the customer, else any of a LAN', async () => {
    const refused = remoteRefusals.remoteTarget.code
    expect(await reach('192.168.1.10', 502)).toBe(0)
    await sql`update customers set remote_targets = '192.168.1.10:502' where id = ${a.customerId}`
    expect(await reach('192.168.1.10', 502)).toBe(0)
    expect(await reach('192.168.1.10', 80)).toBe(refused)
    expect(await reach('10.0.0.1', 502)).toBe(refused)
    await sql`update groups set remote_targets = 'none' where id = ${groupOf}`
    expect(await reach('192.168.1.10', 502)).toBe(refused)
    // The device itself is not behind itself.
    expect((await open()).code).toBe(0)
  })

  it('are no longer reached when the policy changes: open sessions end', async () => {
    const opened = await call<{ sessionId: string }>(
      'remote/openRemoteLan',
      { deviceId, host: '192.168.1.10' } as never,
      operator,
    )
    const id = opened.data?.sessionId ?? ''
    await sql`update remote_sessions set login_id = (select id from sessions where user_id = ${operator.id} and ended_at is null limit 1) where id = ${id}`
    const session = { id, userId: operator.id, host: '192.168.1.10', port: 80, deviceId }
    expect(await whyEnded(context, session)).toBeNull()
    await sql`update groups set remote_targets = '192.168.1.10:443' where id = ${groupOf}`
    expect(await whyEnded(context, session)).toBe('targetDenied')
  })

  it('never are the platform itself or a name, whatever a policy says', async () => {
    await sql`update customers set remote_targets = null where id = ${a.customerId}`
    for (const host of ['127.0.0.1', '0.0.0.0', '169.254.169.254', 'localhost', '::1', '8.8.8.8'])
      expect(await reach(host, 80), host).not.toBe(0)
    // What a column held without having been checked opens nothing either.
    await sql`update customers set remote_targets = '127.0.0.0/8' where id = ${a.customerId}`
    expect(await reach('127.0.0.1', 80)).not.toBe(0)
    const bad = await call(
      'customer/addCustomer',
      { name: 'Loop', remoteTargets: '127.0.0.0/8' } as never,
      superAdmin,
    )
    expect(bad).toMatchObject({ field: 'remoteTargets' })
  })
})
