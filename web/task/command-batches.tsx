/** Commands to many devices: all of them, and the result of one. Its place is the address: `?batch=`. */
import { lazy, Suspense } from 'react'
import { usePage } from '../kit/page.tsx'
import { useOpenBatch } from './command-batches-address.ts'

const Drawer = lazy(() => import('./command-batch-drawer.tsx').then((m) => ({ default: m.BatchDrawer })))

export function CommandBatches() {
  const { active } = usePage()
  const [batch, setBatch] = useOpenBatch()
  return (
    <Suspense>
      {active && batch !== '' ? <Drawer batch={batch} onShow={(next) => void setBatch(next)} /> : null}
    </Suspense>
  )
}
