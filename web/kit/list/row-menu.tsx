/**
 * "⋯": actions for which there is no room. The menu is created when it is first opened, because every row has one.
 */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type Ref, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../i18n.ts'
import { ActionMenuItem } from './action-menu-item.tsx'
import type { RowAction } from './list-types.ts'

const looks = {
  subtle: { variant: 'subtle', color: 'gray', size: 28 },
  default: { variant: 'default', size: 32 },
} as const

/** Connects the menu to its existing button. */
function Anchor({ ref, button }: { ref?: Ref<HTMLElement>; button: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return
    const undo = ref(button.current)
    return () => (typeof undo === 'function' ? undo() : void ref(null))
  }, [ref, button])
  return null
}

type MadeProps = {
  id: string
  actions: readonly RowAction[]
  button: RefObject<HTMLElement | null>
  opened: boolean
  onClose: () => void
}

function MadeMenu({ id, actions, button, opened, onClose }: MadeProps) {
  // Opened after it is created, so that it remembers the focus and restores it.
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return (
    <Menu id={id} opened={opened && ready} onClose={onClose}>
      <Menu.Target>
        <Anchor button={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, ...action }) => (
          <ActionMenuItem key={key} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type Props = { actions: readonly RowAction[]; variant?: keyof typeof looks }

export function ActionMenu({ actions, variant = 'subtle' }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [made, setMade] = useState(false)
  const [opened, setOpened] = useState(false)
  if (actions.length === 0) return null
  return (
    <>
      <ActionIcon
        {...looks[variant]}
        ref={button}
        id={id}
        aria-label={t('kit:more')}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        data-expanded={opened || undefined}
        onClick={() => {
          setMade(true)
          setOpened(!opened)
        }}
      >
        <IconDots size={16} stroke={1.5} />
      </ActionIcon>
      {made ? (
        <MadeMenu
          id={id}
          actions={actions}
          button={button}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      ) : null}
    </>
  )
}
