/** Actions of the palette: URLs that open a form. */

import {
  type Icon,
  IconBellPlus,
  IconFileImport,
  IconFolderPlus,
  IconKey,
  IconPackageImport,
  IconPlus,
  IconUpload,
  IconUserPlus,
} from '@tabler/icons-react'
import { alarmRuleEditPermission } from '#schema/alarm/alarm-rule'
import { contactEditPermission } from '#schema/alarm/contact'
import { deviceCreatePermission } from '#schema/device/device-pages'
import { enrolmentKeysPermission } from '#schema/device/enrol'
import { terminalEditPermission } from '#schema/device/terminal'
import { groupCreatePermission } from '#schema/group/group-pages'
import type { Permission } from '#schema/kit/permission'
import type { Key } from '#schema/kit/words.gen'
import { panelEditPermission } from '#schema/monitor/panel'
import { projectEditPermission } from '#schema/monitor/project'
import { variableNoticeEditPermission } from '#schema/monitor/variable-notice'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { customerCreatePermission } from '#schema/people/customer'
import { userCreatePermission } from '#schema/people/user-pages'
import { printerDriverEditPermission } from '#schema/printing/printer-driver'
import { packageUploadPermission } from '#schema/task/package'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { can } from '../kit/session.ts'
import { screens } from './screens.ts'

/** `takes`: what is chosen for it in advance, as a filter in its URL. */
type Action = {
  key: string
  screen: string
  search: string
  needs: Permission
  icon: Icon
  takes?: 'devices'
}

const actions = [
  {
    key: 'device',
    screen: 'device-list',
    search: 'new=create',
    needs: deviceCreatePermission,
    icon: IconPlus,
  },
  {
    key: 'import',
    screen: 'device-list',
    search: 'new=import',
    needs: deviceCreatePermission,
    icon: IconFileImport,
  },
  { key: 'keys', screen: 'device-list', search: 'new=keys', needs: enrolmentKeysPermission, icon: IconKey },
  {
    key: 'upgrade',
    screen: 'task-list',
    search: 'new=1',
    needs: upgradeCreatePermission,
    icon: IconPackageImport,
    takes: 'devices',
  },
  {
    key: 'package',
    screen: 'package-list',
    search: 'upload=1',
    needs: packageUploadPermission,
    icon: IconUpload,
  },
  { key: 'group', screen: 'group-list', search: 'new=1', needs: groupCreatePermission, icon: IconFolderPlus },
  {
    key: 'terminal',
    screen: 'terminal-list',
    search: 'new=1',
    needs: terminalEditPermission,
    icon: IconPlus,
  },
  {
    key: 'contact',
    screen: 'contact-list',
    search: 'new=1',
    needs: contactEditPermission,
    icon: IconUserPlus,
  },
  {
    key: 'alarmRule',
    screen: 'alarm-rules',
    search: 'open=new',
    needs: alarmRuleEditPermission,
    icon: IconBellPlus,
  },
  {
    key: 'variableNotice',
    screen: 'variable-notices',
    search: 'open=new',
    needs: variableNoticeEditPermission,
    icon: IconBellPlus,
  },
  { key: 'project', screen: 'project-list', search: 'new=1', needs: projectEditPermission, icon: IconPlus },
  {
    key: 'collectionTemplate',
    screen: 'collection-template-list',
    search: 'new=1',
    needs: templateEditPermission,
    icon: IconPlus,
  },
  { key: 'panel', screen: 'panel-list', search: 'new=1', needs: panelEditPermission, icon: IconPlus },
  { key: 'user', screen: 'user-list', search: 'new=1', needs: userCreatePermission, icon: IconUserPlus },
  {
    key: 'customer',
    screen: 'customer-list',
    search: 'new=1',
    needs: customerCreatePermission,
    icon: IconUserPlus,
  },
  {
    key: 'driver',
    screen: 'printer-driver-list',
    search: 'new=1',
    needs: printerDriverEditPermission,
    icon: IconPlus,
  },
] as const satisfies readonly Action[]

/** The actions that this user may start, on pages of their menu. */
export function permittedActions(pages: readonly string[]) {
  return actions.flatMap((action) => {
    const { key, screen, search, needs, icon } = action
    const path = screens.find(({ name }) => name === screen)?.path
    if (!path || !pages.includes(path) || !can(needs)) return []
    const label: Key = `palette:action.${key}`
    return [
      { key, label, address: `${path}?${search}`, icon, takes: 'takes' in action ? action.takes : undefined },
    ]
  })
}
