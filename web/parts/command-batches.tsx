/** Commands to many devices: all of them, and the result of one. Its place is the address: `?batch=`. */

import { IconListCheck } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { functions } from '#schema/functions'
import { ActionButton } from '../kit/action-button.tsx'
import { t } from '../kit/i18n.ts'
import { usePage } from '../kit/page.tsx'
import { useOpenBatch } from './command-batches-address.ts'

const Drawer = lazy(() => import('./command-batch-drawer.tsx').then((m) => ({ default: m.BatchDrawer })))

export function CommandBatches() {
  const { active } = usePage()
  const [batch, setBatch] = useOpenBatch()
  return (
    <>
      <ActionButton
        variant="default"
        icon={IconListCheck}
        label={t('command-batch:title')}
        functionId={functions.deviceList}
        onPress={() => void setBatch('list')}
      />
      <Suspense>
        {active && batch !== '' ? <Drawer batch={batch} onShow={(next) => void setBatch(next)} /> : null}
      </Suspense>
    </>
  )
}
