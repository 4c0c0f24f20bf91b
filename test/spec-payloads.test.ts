/** [§7] Payloads of the specification are accepted, field by field; an undeclared field would be refused. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { isCall } from '#schema/kit/call'

const user =
  'user_id username nickname realname roleid user_ctid user_iscustomer user_icon user_qq user_sex user_status user_tel user_addr user_email userLoginTime copyRight customerLogo defaultGroupId monState'

const payloads: Readonly<Record<string, string>> = {
  userLogin: 'username password language',
  emailLogin: 'email password language',
  userLogout: '',
  'permission/showFunctionList': 'user_id language',
  'config/getMenu': 'user_id funTag',
  'user/getUserDetails': '',
  'user/updateUser': user,
  'user/changePassword': 'newpassword oldpassword userId',
  'user/bindEmail': 'email passwd',
  'device/getDeviceAddressList': 'allDevice offset limit',
  'device/getDeviceInformation': '',
  'device/getDeviceInfo': '',
  'device/getGroupList': 'allDevice allGroup user_id client_user_id offset limit pid',
  'device/addGroup': 'groupName level parentGroupId cid uid',
  'device/modifyGroupName':
    'gid groupName level parentGroupId uid cid name password ip loginType loginNum n2nInfoBridge n2nIfnoMaskbit groupServiceDistribution',
  'device/deleteGroup': 'user_id groupId',
  'device/fristLevelGroup': 'pid offset limit customer',
  'device/queryGroupKeyword':
    'user_id keyword offset limit groupname parentname cname create superlink account password ip updatetime pid groLevel',
  'device/findCanLevelUp': 'groupId',
  'device/group/devices': 'gid queryType limit offset sn',
  'device/getAddLevelGroup': 'pid',
  'customer/getCustomerList': 'user_id offset limit',
  'user/getUserList': 'user_id offset limit',
  'n2nServer/listN2nServer': 'offset limit',
  'n2nServer/updateGroupInfo': 'n2nInfoIds serverId port',
  'group/cid/list': 'cid',
  'group/uid/list': 'uid',
  'configTask/addConfig': 'name description dids path spFileSize spId',
  'levelUp/addLevelUp': 'name description dids path spFileSize spId keepConfig server packageType',
}

const calls = new Map((await gatherDeclared(isCall)).map((call) => [call.name, call]))

it.each(Object.entries(payloads))('%s accepts %s', (name, fields) => {
  const { body } = calls.get(name) ?? expect.fail(`${name} is not declared`)
  const { properties = {} } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields.split(' ').filter(Boolean)))
})
