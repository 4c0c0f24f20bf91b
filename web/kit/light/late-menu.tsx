/** A menu that is created when it is first opened: a list has one in each row, and several in its tools. */
import { Menu, type MenuProps } from '@mantine/core'
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** Connects the menu to its existing button. */
function Anchor({ ref, button }: { ref?: Ref<HTMLElement>; button: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return
    const undo = ref(button.current)
    return () => (typeof undo === 'function' ? undo() : void ref(null))
  }, [ref, button])
  return null
}

type Look = Pick<MenuProps, 'position' | 'closeOnItemClick'>

type MadeProps = Look & {
  id: string
  button: RefObject<HTMLElement | null>
  opened: boolean
  onClose: () => void
  tall: boolean
  children: ReactNode
}

function MadeMenu({ button, opened, tall, children, ...menu }: MadeProps) {
  // Opened after it is created, so that it remembers the focus and restores it.
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return (
    <Menu {...menu} opened={opened && ready}>
      <Menu.Target>
        <Anchor button={button} />
      </Menu.Target>
      <Menu.Dropdown {...(tall ? { mah: 420, maw: 320, style: { overflowY: 'auto' } } : {})}>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What the button of a menu needs. */
type ButtonProps = {
  id: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  'data-expanded': true | undefined
  onClick: (event: MouseEvent<HTMLElement>) => void
}

type Props = Look & {
  button: (props: ButtonProps) => ReactNode
  /** It may have more items than a window has room for. */
  tall?: boolean
  /** The items. */
  children: ReactNode
}

export function LateMenu({ button, tall = false, children, ...look }: Props) {
  const id = useId()
  const pressed = useRef<HTMLElement>(null)
  const [made, setMade] = useState(false)
  const [opened, setOpened] = useState(false)
  return (
    <>
      {button({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        'data-expanded': opened || undefined,
        onClick: ({ currentTarget }) => {
          pressed.current = currentTarget
          setMade(true)
          setOpened(!opened)
        },
      })}
      {made ? (
        <MadeMenu
          {...look}
          id={id}
          button={pressed}
          opened={opened}
          onClose={() => setOpened(false)}
          tall={tall}
        >
          {children}
        </MadeMenu>
      ) : null}
    </>
  )
}
