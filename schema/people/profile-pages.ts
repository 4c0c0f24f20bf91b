/** What the user menu needs to know of the profile: the calls of its dialogs are loaded with these. */
import { ACCOUNT, permission } from '../kit/permission.ts'

export const profilePermission = permission({
  id: 28,
  name: 'profile',
  role: 'viewer',
  under: ACCOUNT,
  consoleOnly: true,
})
export const editProfilePermission = permission({
  id: 21,
  name: 'editProfile',
  role: 'viewer',
  under: ACCOUNT,
})
export const bindEmailPermission = permission({ id: 176, name: 'bindEmail', role: 'viewer', under: ACCOUNT })
