/** What can be begun from the palette: addresses that open a form. */
import {
  IconFileImport,
  IconFolderPlus,
  IconKey,
  IconPackageImport,
  IconPlus,
  IconUpload,
  IconUserPlus,
} from '@tabler/icons-react'
import { functions } from '#schema/people/functions'
import { can } from '../kit/session.ts'
import type { Key } from '../kit/words.ts'
import { screens } from './screens.ts'

const actions = [
  {
    key: 'device',
    screen: 'device-list',
    search: 'new=create',
    needs: functions.deviceCreate,
    icon: IconPlus,
  },
  {
    key: 'import',
    screen: 'device-list',
    search: 'new=import',
    needs: functions.deviceCreate,
    icon: IconFileImport,
  },
  { key: 'keys', screen: 'device-list', search: 'new=keys', needs: functions.enrolmentKeys, icon: IconKey },
  {
    key: 'upgrade',
    screen: 'upgrade-list',
    search: 'new=1',
    needs: functions.upgradeCreate,
    icon: IconPackageImport,
  },
  {
    key: 'package',
    screen: 'package-list',
    search: 'upload=1',
    needs: functions.packageUpload,
    icon: IconUpload,
  },
  { key: 'group', screen: 'group-list', search: 'new=1', needs: functions.groupCreate, icon: IconFolderPlus },
  {
    key: 'terminal',
    screen: 'terminal-list',
    search: 'new=1',
    needs: functions.terminalEdit,
    icon: IconPlus,
  },
  {
    key: 'contact',
    screen: 'contact-list',
    search: 'new=1',
    needs: functions.contactEdit,
    icon: IconUserPlus,
  },
  { key: 'user', screen: 'user-list', search: 'new=1', needs: functions.userCreate, icon: IconUserPlus },
  {
    key: 'customer',
    screen: 'customer-list',
    search: 'new=1',
    needs: functions.customerCreate,
    icon: IconUserPlus,
  },
  {
    key: 'driver',
    screen: 'printer-driver-list',
    search: 'new=1',
    needs: functions.printerDriverEdit,
    icon: IconPlus,
  },
] as const

/** Those that this user may begin, on pages that his menu has. */
export function permittedActions(pages: readonly string[]) {
  return actions.flatMap(({ key, screen, search, needs, icon }) => {
    const path = screens.find(({ name }) => name === screen)?.path
    if (!path || !pages.includes(path) || !can(needs)) return []
    const label: Key = `palette:action.${key}`
    return [{ key, label, address: `${path}?${search}`, icon }]
  })
}
