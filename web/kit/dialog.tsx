/**
 * Mantine's drawer and dialog, which Back closes too; of several, Escape closes only the topmost. Nothing else imports
 * these two from Mantine.
 */
// biome-ignore lint/style/noRestrictedImports: this is where they come from
import { type DrawerProps, type ModalProps, Drawer as PlainDrawer, Modal as PlainModal } from '@mantine/core'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { isOnTop, type Layer, openLayer, watchLayers } from './back.ts'

/** What Back does. Default: the same as Escape. */
type Closes = { onBack?: (() => void) | undefined }
type Layered = Closes & Pick<ModalProps, 'opened' | 'onClose' | 'closeOnEscape'>

/** Returns what Escape does: each of Mantine's dialogs listens for it, also below another one, whose key it is. */
function useLayer({ opened, onClose, onBack, closeOnEscape = true }: Layered) {
  const latest = useEffectEvent(onBack ?? onClose)
  const [own] = useState<Layer>(() => ({ close: () => undefined }))
  // Ends with its page, too: the effects of a hidden page are disconnected.
  useEffect(() => {
    own.close = () => latest()
    return opened ? openLayer(own) : undefined
  }, [opened, own])
  const onTop = useSyncExternalStore(watchLayers, () => isOnTop(own))
  return { closeOnEscape: closeOnEscape && onTop }
}

/** The library's header would be a landmark: a second banner beside that of the page. */
const PARTS = { header: { role: 'presentation' } }

export function Drawer({ onBack, ...props }: DrawerProps & Closes) {
  const own = useLayer({ ...props, onBack })
  return <PlainDrawer attributes={PARTS} {...props} {...own} />
}

export function Modal({ onBack, ...props }: ModalProps & Closes) {
  const own = useLayer({ ...props, onBack })
  return <PlainModal attributes={PARTS} {...props} {...own} />
}
