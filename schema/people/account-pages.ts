/** Pages of the user menu: apart from their calls, whose forms the frame of the console does not need. */

import { ACCOUNT, permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const apiTokensPermission = permission({
  id: 2801,
  name: 'apiTokens',
  role: 'operator',
  under: ACCOUNT,
})

/** Reached from the user menu, because every user manages their own tokens. */
export const tokenScreen = screen({
  name: 'token-list',
  path: '/tokens',
  permission: apiTokensPermission,
  area: 'management',
})

export const secondFactorScreen = screen({
  name: 'second-factor',
  path: '/second-factor',
  area: 'management',
})
