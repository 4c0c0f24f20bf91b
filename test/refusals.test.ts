/** The texts of the error catalogue [§8]. */
import { expect, it } from 'vitest'
import { allRefusals, gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import { type Language, refusal } from '#schema/kit/refusal'

const refusals = await gatherRefusals()

it.each<[string, number | null, string, string]>([
  ['operationFailed', 1, '操作失败', 'Operation failed'],
  ['notLoggedIn', 2, '登录状态已过期，请重新登录', 'Login status expired, please log in again'],
  ['noPermission', 5, '权限不足，无权操作', 'Permission insufficient, no right to operate'],
  ['wrongPassword', 15, '密码错误', 'The password is wrong'],
  ['wrongCredentials', null, '用户名或密码错误', 'Username or password wrong'],
  ['passwordTooShort', null, '密码太短', 'Password too short'],
  ['deviceOffline', null, '设备不在线', 'Device not online'],
  ['deviceUnsupported', null, '设备不支持此功能', 'Device does not support this feature'],
  ['nothingSelected', null, '未选择设备', 'No device selected'],
  ['notForMany', null, '仅允许对单台设备操作', 'Only single device operation allowed'],
  ['selectedOffline', null, '所选设备不在线', 'Selected device not online'],
  ['notFound', null, '未找到数据', 'No data found'],
  ['groupNameTaken', null, '分组名称 {name} 已存在', 'Group name {name} already exists'],
  ['remoteAccountTaken', null, '远程账号 {name} 已存在', 'Remote account {name} already exists'],
  ['customerTaken', null, '客户 {name} 已存在', 'Customer {name} already exists'],
  ['userTaken', null, '用户 {name} 已存在', 'User {name} already exists'],
  ['emailTaken', null, '邮箱 {email} 已存在', 'E-mail address {email} already exists'],
  ['phoneTaken', null, '电话 {phone} 已存在', 'Phone number {phone} already exists'],
  ['nameTaken', null, '名称 {name} 已存在', 'Name {name} already exists'],
  ['parameterZhTaken', null, '参数中文名 {name} 已存在', 'Chinese name'],
  ['parameterEnTaken', null, '参数英文名 {name} 已存在', 'English name'],
  ['groupHasDevices', null, '不能删除', 'cannot be deleted'],
  ['groupIsDefault', null, '默认分组不能删除', 'The default group cannot be deleted'],
  ['customerInUse', null, '客户不能删除', 'The customer cannot be deleted'],
  ['superAdminProtected', null, '超级管理员不能删除', 'The super administrator cannot be deleted'],
  ['n2nServerInUse', null, '不能删除', 'The n2n server cannot be deleted'],
  ['templateLocked', null, '模板角色不能编辑', 'A template role cannot be edited'],
  ['passwordsDiffer', null, '两次输入的密码不一致', 'The password entered twice differs'],
  ['emailFormat', null, '请输入正确的邮箱', 'Enter a correct e-mail address'],
])('[§8] %s has its code and its text', (name, code, chinese, english) => {
  const known = refusals.get(name)
  if (code !== null) expect(known?.code).toBe(code)
  const said = (language: Language) => known && sayIn(language)(known.text)
  expect(said('zh-CN')).toContain(chinese)
  expect(said('en-US')).toContain(english)
  expect(said('zh-TW')).toMatch(/\p{Script=Han}/u)
})

it('has no duplicate code or name', () => {
  const one = refusal(900, 'device:refusal.notFound')
  expect(() => allRefusals([{ one }, { other: { ...one } }])).toThrow('code 900 is both one and other')
  expect(() => allRefusals([{ one }, { one: { ...one, code: 901 } }])).toThrow('one is declared twice')
  expect([...allRefusals([{ one }]).keys()]).toEqual(['one'])
})
