import { refusal } from '../kit/refusal.ts'

export const peopleRefusals = {
  passwordsDiffer: refusal(
    160,
    '两次输入的密码不一致',
    '兩次輸入的密碼不一致',
    'The password entered twice differs',
  ),
  templateLocked: refusal(
    161,
    '模板角色不能编辑，请复制后修改',
    '範本角色不能編輯，請複製後修改',
    'A template role cannot be edited: duplicate it',
  ),
  roleInUse: refusal(
    162,
    '角色不能删除，仍有 {count} 个用户使用',
    '角色不能刪除，仍有 {count} 個使用者使用',
    'The role cannot be deleted: users have it ({count})',
  ),
  roleBeyondCustomer: refusal(
    163,
    '客户的角色不能包含平台权限：{names}',
    '客戶的角色不能包含平台權限：{names}',
    'A role of a customer cannot hold what belongs to the installation: {names}',
  ),
  holdsMore: refusal(
    164,
    '对方拥有您没有的权限，不能修改',
    '對方擁有您沒有的權限，不能修改',
    'It holds permissions that you do not hold, so you cannot change it',
  ),
  selfLockout: refusal(
    165,
    '不能取消自己管理角色的权限',
    '不能取消自己管理角色的權限',
    'You would lock yourself out of the roles',
  ),
  customerTaken: refusal(166, '客户 {name} 已存在', '客戶 {name} 已存在', 'Customer {name} already exists'),
  customerInUse: refusal(
    167,
    '客户不能删除，仍有：{things}',
    '客戶不能刪除，仍有：{things}',
    'The customer cannot be deleted, it still owns: {things}',
  ),
  userTaken: refusal(168, '用户 {name} 已存在', '使用者 {name} 已存在', 'User {name} already exists'),
  emailTaken: refusal(
    169,
    '邮箱 {email} 已存在',
    '電子郵件 {email} 已存在',
    'E-mail address {email} already exists',
  ),
  phoneTaken: refusal(
    170,
    '电话 {phone} 已存在',
    '電話 {phone} 已存在',
    'Phone number {phone} already exists',
  ),
  superAdminProtected: refusal(
    171,
    '超级管理员不能删除、停用或降级',
    '超級管理員不能刪除、停用或降級',
    'The super administrator cannot be deleted, disabled or demoted',
  ),
  roleRequired: refusal(172, '请选择角色', '請選擇角色', 'A role is required'),
  groupsRequired: refusal(
    173,
    '请为普通用户选择分组',
    '請為一般使用者選擇群組',
    'A normal user needs at least one group',
  ),
  notAPicture: refusal(
    174,
    '图片必须是 JPG 或 PNG 格式',
    '圖片必須是 JPG 或 PNG 格式',
    'The picture must be a JPG or a PNG',
  ),
  pictureTooLarge: refusal(
    175,
    '图片超过 {maxMb} MB',
    '圖片超過 {maxMb} MB',
    'The picture is larger than {maxMb} MB',
  ),
  pictureTooManyPixels: refusal(
    176,
    '图片尺寸过大，最多 {max} 百万像素',
    '圖片尺寸過大，最多 {max} 百萬像素',
    'The picture has more than {max} million pixels',
  ),
  customerRequired: refusal(177, '请选择客户', '請選擇客戶', 'A customer is required'),
  typeTooHigh: refusal(
    178,
    '不能创建高于自己的用户类型',
    '不能建立高於自己的使用者類型',
    'You cannot create a user of a higher type than your own',
  ),
  notYourself: refusal(
    179,
    '不能删除、停用自己，或更改自己的类型与角色',
    '不能刪除、停用自己，或變更自己的類型與角色',
    'You cannot delete or disable yourself, nor change your own type or role',
  ),
}
