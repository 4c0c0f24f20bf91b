import { seal } from '#infra/secrets'
import { furnish } from '../furnish.ts'

export const furnishGroup = furnish(async ({ sql, env }, tenant) => {
  const { root, branch } = tenant.groups
  await sql`
    update groups set remote_account = ${`${tenant.name}-remote`}, remote_password = ${seal(`${tenant.name}-pass`, env.JWT_SECRET)},
      remote_ip = '10.128.0.1', mask_bits = 24, owner_id = ${tenant.admin.id} where id = ${branch}`
  const uid = tenant.admin.id
  return {
    own: {
      'group/uid/list': { uid },
      'device/addGroup': { uid, parentGroupId: root },
      'device/modifyGroupName': { uid, parentGroupId: root, gid: branch },
      'device/levelUp': { groupId: branch, parentGroupId: root },
    },
  }
})
