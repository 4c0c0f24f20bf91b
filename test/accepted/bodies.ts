/** What a sampled body needs to be accepted, and rows that must exist first, where sampling alone cannot know it. */

import { makeSigner } from '../signer.ts'
import { TEST_PASSWORD, type Tenant } from '../tenants.ts'
import {
  type Accepted,
  addServer,
  configured,
  heldShell,
  inCommunity,
  online,
  secondFactor,
  waitingAccess,
  waitsForApproval,
} from './rows.ts'
import {
  advertisement,
  archive,
  mapping,
  north,
  picture,
  rule,
  schedule,
  shortMessage,
  slave,
  UCI_TEXT,
  variable,
} from './values.ts'

const own = (tenant: Tenant) => tenant.admin

const password = { body: () => ({ passwd: TEST_PASSWORD }), who: own }

export const accepted: Readonly<Record<string, Accepted>> = {
  'config/saveConfigDraft': {
    body: () => ({ page: 'wan', values: { metric: 30 } }),
    first: configured('read'),
  },
  'config/importUci': { body: () => ({ uciText: UCI_TEXT }), first: configured('read') },
  'config/compareUci': { body: () => ({ uciText: UCI_TEXT }), first: configured('read') },
  'config/fillConfigDraft': { body: () => ({ page: 'n2n-edge' }), first: inCommunity },
  'config/discardConfigDraft': { body: () => ({ page: 'wan' }), first: configured('edited') },
  'config/applyMany': {
    body: ({ devices }) => ({ dids: [devices[0]?.id], pages: { wan: { metric: 30 } } }),
    first: configured('read'),
  },
  'configTemplate/addConfigTemplate': { body: () => ({ pages: { wan: { metric: 30 } } }) },
  'configTemplate/modifyConfigTemplate': { body: () => ({ pages: { wan: { metric: 30 } } }) },
  'configTemplate/followTemplates': { body: () => ({ page: 'wan', fields: ['metric'] }) },
  'configVariable/modifyConfigVariable': { body: () => ({ values: [{ value: 'here' }] }) },
  'configVariable/addConfigVariable': { body: () => ({ name: 'site' }) },
  'config/applyDevice': { first: configured('edited') },
  'config/settleDrift': {
    body: () => ({ differences: ['network.wan'], how: 'ignore' }),
    first: configured('drifted'),
  },
  'config/revertTrial': { first: configured('onTrial') },
  'advertisement/addAdvertisement': { body: () => advertisement },
  'advertisement/enableAdvertisement': { body: () => ({ enabled: false }) },
  'advertisement/modifyAdvertisement': { body: () => advertisement },
  'alarm/createAlarmChannel': { body: () => ({ secretUrl: 'https://example.com/hook' }) },
  'alarm/createAlarmRule': { body: () => rule },
  'alarm/createMaintenance': {
    body: () => ({ endsAt: new Date(Date.now() + 3_600_000).toISOString(), timeZone: 'UTC' }),
  },
  'alarm/deleteNoteTemplate': { who: own },
  'alarm/enableAlarmRule': { body: () => ({ enabled: false }) },
  'variableNotice/enableVariableNotice': { body: () => ({ enabled: false }) },
  'alarm/saveNoteTemplate': { who: own },
  'alarm/updateAlarmRule': { body: () => rule },
  'backup/createBackup': { first: online },
  'command/sendCommand': { body: () => ({ name: 'reboot' }), first: online },
  'configFile/uploadConfigFile': { file: archive },
  'customer/deleteCustomer': {
    first: async ({ sql }, { name }) => {
      const [made] = await sql<
        { id: number }[]
      >`insert into customers (name) values (${`${name} bare`}) returning id`
      return { customerId: made?.id }
    },
  },
  'customer/deleteDemonstration': {
    first: async ({ sql }, { customerId }) => {
      await sql`update customers set demonstration = true where id = ${customerId}`
      return undefined
    },
  },
  'customer/modifyCustomer': { body: ({ name }) => ({ name: `${name} renamed` }) },
  'device/clearGroupRemote': { body: ({ groups }) => ({ gid: groups.branch }) },
  'device/createDevice': { body: ({ name }) => ({ deviceSn: `${name}-NEW` }) },
  'device/deleteGroup': {
    first: async ({ sql }, { customerId }) => {
      const [made] = await sql<{ id: number }[]>`
        insert into groups (customer_id, name, level) values (${customerId}, 'Empty', 1) returning id`
      return { groupId: made?.id }
    },
  },
  'device/getGroupPassword': { body: ({ groups }) => ({ gid: groups.branch }) },
  'device/importDevices': { body: ({ name }) => ({ csv: `sn,name\n${name}-CSV,One\n`, dryRun: false }) },
  'device/levelUp': { body: ({ groups }) => ({ groupId: groups.branch, parentGroupId: groups.other }) },
  'device/modifyGroupName': {
    body: ({ admin }) => ({ groupName: 'Changed', parentGroupId: undefined, uid: admin.id }),
  },
  'device/placeDevice': { body: () => ({ position: { longitude: 1, latitude: 2 } }) },
  'image/uploadImage': { file: picture, who: own },
  'n2nServer/deleteN2nServer': { first: addServer },
  'n2nServer/modifyN2nServer': {
    body: () => ({ address: 'changed.example.test', port: 9101 }),
    first: addServer,
  },
  'n2nServer/rotateN2nToken': { first: addServer },
  'n2nServer/updateGroupInfo': { body: ({ groups }) => ({ n2nInfoIds: [groups.branch] }), first: addServer },
  'package/deletePackage': {
    first: async ({ sql }, { customerId }) => {
      await sql`update tasks set status = 'completed' where customer_id = ${customerId}`
      return undefined
    },
  },
  'package/modifyPackage': { body: ({ name }) => ({ remark: `${name} changed` }) },
  'package/createSigningKey': { body: () => ({ publicKey: makeSigner().pem }) },
  // Without a signature: its owner has no key.
  'package/uploadPackage': {
    file: archive,
    first: async ({ sql }, { customerId }) => {
      await sql`delete from signing_keys where customer_id = ${customerId}`
      return undefined
    },
  },
  'parameter/setParameter': { body: () => ({ key: 'sessionHours', value: 77 }) },
  'printer/modifyPrinterDriver': { body: ({ name }) => ({ sign: `${name}-sign` }) },
  'collectionTemplate/deleteTemplate': {
    first: async ({ sql }, { customerId }) => {
      const [made] = await sql<{ id: number }[]>`
        insert into collection_templates (customer_id, name, type) values (${customerId}, 'Bare', 'other') returning id`
      return { id: made?.id }
    },
  },
  'north/addNorth': { body: () => ({ ...north, kind: 'http', secretAddress: 'https://example.com/in' }) },
  'north/switchNorth': { body: () => ({ enabled: false }) },
  'north/modifyNorth': { body: () => ({ ...north, topic: 'plant/{type}' }) },
  'south/addSouth': { body: () => ({ ...mapping, kind: 'mapping', topics: 'plant/#' }) },
  'south/modifySouth': { body: () => ({ ...mapping, topics: 'line/#' }) },
  'south/switchSouth': { body: () => ({ enabled: false }) },
  'south/tryMessage': { body: () => ({ ...mapping, kind: 'mapping', payload: '{"a":1}' }) },
  'south/linkSouth': { body: ({ name }) => ({ source: `${name} node` }) },
  'project/addProject': { body: ({ groups }) => ({ groupId: groups.other, userId: undefined }) },
  'project/modifyProject': { body: ({ admin }) => ({ userId: admin.id }) },
  'terminal/addTerminal': { body: () => slave },
  'terminal/modifyTerminal': { body: () => slave },
  'variable/addVariable': { body: () => variable },
  'variable/modifyVariable': { body: () => variable },
  'variable/saveVariables': {
    body: () => ({ variables: [{ name: 'Many', ...variable, reportType: 'both' }] }),
  },
  'variable/deleteVariable': {
    first: async ({ sql }, _tenant, { id }) => {
      await sql`update variables set hidden = true where id = ${Number(id)}`
      return undefined
    },
  },
  'remote/openRemote': { who: own, first: online },
  'remote/openRemoteLan': { who: own, first: online },
  'remote/openRemoteForward': { who: own, first: online },
  'remote/openFiles': { who: own, first: heldShell },
  'remote/downloadFile': { who: own, first: heldShell },
  'remote/uploadFile': {
    who: own,
    first: heldShell,
    body: () => ({ sizeBytes: 5 }),
    file: async () => Buffer.from('hello'),
  },
  'remote/deleteFile': { who: own, first: heldShell },
  'remote/getWatchTicket': {
    first: async ({ sql }, _tenant, { sessionId }) => {
      await sql`update remote_sessions set state = 'ready' where id = ${String(sessionId)}`
      return undefined
    },
  },
  'remote/approveAccess': { first: waitingAccess },
  'remote/refuseAccess': { first: waitingAccess },
  'remote/askAccess': {
    first: async ({ sql }, { customerId }) => {
      await sql`update groups set remote_approval = 'required' where customer_id = ${customerId} and parent_id is null`
      return undefined
    },
  },
  'remote/endAccess': { who: own },
  'remote/extendRemote': { who: own },
  'remote/closeRemote': { who: own },
  'report/addReportSchedule': { body: () => schedule, who: own },
  'report/askRecipient': {
    first: async ({ sql }, { name }, { id }) => {
      const email = `${name.toLowerCase()}@example.test`
      await sql`update report_schedules set recipients = ${[email]} where id = ${Number(id)}`
      return { email }
    },
  },
  'report/modifyReportSchedule': { body: () => schedule },
  'role/modifyRole': { body: () => ({ functionIds: [], menuIds: [] }) },
  'schedule/saveSchedule': { body: () => ({ kind: 'daily', time: '04:30', timeZone: 'UTC' }) },
  'smsMessage/addSmsMessage': { body: () => shortMessage },
  'smsMessage/modifySmsMessage': { body: () => shortMessage },
  'smsMessage/sendSmsMessage': {
    first: async (context, tenant, { id }) => {
      const { deviceId } = await online(context, tenant)
      await context.sql`update sms_messages set device_id = ${deviceId ?? 0} where id = ${Number(id)}`
      return { deviceId }
    },
  },
  'variable/setVariableValue': {
    body: () => ({ value: '231' }),
    first: async (context, tenant, { terminalId, variableId }) => {
      const { deviceId } = await online(context, tenant)
      await context.sql`update terminals set device_id = ${deviceId ?? 0} where id = ${Number(terminalId)}`
      await context.sql`
        update variables set register_type = 'holding', access = 'readWrite' where id = ${Number(variableId)}`
      return { deviceId }
    },
  },
  'task/addTask': { body: () => ({ kind: 'reboot', command: 'reboot' }), first: online },
  'task/approveTask': { first: waitsForApproval },
  'task/skipWave': {
    first: async ({ sql }, _tenant, { taskId }) => {
      await sql`update tasks set last_wave = 1, started_at = now() where id = ${Number(taskId)}`
      return undefined
    },
  },
  'task/rollBackTask': {
    first: async ({ sql }, { name }, { taskId }) => {
      const version = `former of ${name}`
      await sql`
        insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility, synced_at)
        values (${name}, ${version}, 'R200', 'upgrade', 1, 'x', 'x', 'x', 'all', now())`
      await sql`
        update task_items i set offers = 1, from_version = ${version} where i.task_id = ${Number(taskId)}`
      await sql`
        update devices d set firmware = t.version from task_items i join tasks t on t.id = i.task_id
        where i.task_id = ${Number(taskId)} and d.id = i.device_id`
      return undefined
    },
  },
  'task/refuseTask': { first: waitsForApproval },
  'task/deleteTask': {
    first: async ({ sql }, _tenant, { taskId }) => {
      await sql`update tasks set status = 'completed' where id = ${Number(taskId)}`
      return undefined
    },
  },
  'task/resumeTask': {
    first: async ({ sql }, _tenant, { taskId }) => {
      await sql`update tasks set paused_at = now(), pause_reason = 'person' where id = ${Number(taskId)}`
      return undefined
    },
  },
  'task/retryTask': {
    body: () => ({ itemIds: undefined }),
    first: async ({ sql }, { customerId, name }) => {
      const [made] = await sql<{ id: number }[]>`
        select id from tasks where customer_id = ${customerId} and name = ${`${name} stopped`}`
      return { taskId: made?.id }
    },
  },
  'token/revokeApiToken': { who: own },
  'totp/beginTotp': password,
  'totp/confirmTotp': { who: own, first: secondFactor(false) },
  'totp/disableTotp': { who: own, first: secondFactor(true) },
  'totp/renewRecoveryCodes': { who: own, first: secondFactor(true) },
  'user/addUser': { body: () => ({ invite: true }) },
  'user/bindEmail': password,
  'user/sendInvitation': {
    first: async ({ sql }, { name }, { userId }) => {
      await sql`update users set email = ${`${name.toLowerCase()}@example.test`}, last_login_at = null where id = ${Number(userId)}`
      return undefined
    },
  },
  'user/withdrawInvitation': {
    first: async ({ sql }, { name }, { userId }) => {
      await sql`insert into invitations (user_id, email, language, hash, expires_at)
        values (${Number(userId)}, 'guest@example.test', 'en-US', ${name}, now() + interval '1 day')`
      return undefined
    },
  },
  'user/modifyUser': {
    body: () => ({ userType: 'customerAdmin', realname: 'Changed', groupIds: [], icon: undefined }),
  },
  'user/updateUser': { body: () => ({ realname: 'Changed', user_icon: undefined }), who: own },
  'view/deleteSavedView': { who: own },
  'view/saveView': { who: own },
  'view/modifySavedView': { body: () => ({ name: 'Changed' }), who: own },
}
