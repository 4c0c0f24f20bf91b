/** Mantine's drawer and dialog, which Back closes too. Nothing else imports these two from Mantine. */
// biome-ignore lint/style/noRestrictedImports: this is where they come from
import { type DrawerProps, type ModalProps, Drawer as PlainDrawer, Modal as PlainModal } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { openLayer } from './back.ts'

/** What Back does. Default: the same as Escape. */
type Closes = { onBack?: () => void }

function useLayer(opened: boolean, close: () => void) {
  const latest = useEffectEvent(close)
  // Ends with its page, too: the effects of a hidden page are disconnected.
  useEffect(() => (opened ? openLayer(() => latest()) : undefined), [opened])
}

/** The library's header would be a landmark: a second banner beside that of the page. */
const PARTS = { header: { role: 'presentation' } }

export function Drawer({ onBack, ...props }: DrawerProps & Closes) {
  useLayer(props.opened, onBack ?? props.onClose)
  return <PlainDrawer attributes={PARTS} {...props} />
}

export function Modal({ onBack, ...props }: ModalProps & Closes) {
  useLayer(props.opened, onBack ?? props.onClose)
  return <PlainModal attributes={PARTS} {...props} />
}
